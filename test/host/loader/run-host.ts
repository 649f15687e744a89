import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

const register = new URL('../../../dist/host-bundle/register.cjs', import.meta.url).href;

/** What a process printed and how it ended. */
export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/** The result or the error of one imported file. */
export interface Imported {
  readonly result?: unknown;
  readonly error?: { readonly name: string; readonly message: string; readonly stack: string };
}

/** Imports files one after the other in a process that can load TypeScript. */
export async function importFiles(files: readonly string[]): Promise<readonly Imported[]> {
  const { stdout, stderr } = await runHost(
    `const all = [];
for (const file of ${JSON.stringify(files)}) {
  try {
    const { result } = await import(pathToFileURL(file).href);
    all.push({ result: await result });
  } catch ({ name, message, stack }) {
    all.push({ error: { name, message, stack } });
  }
}
process.stdout.write(JSON.stringify(all));`,
    path.dirname(files[0] ?? ''),
  );
  if (stderr !== '') throw new Error(stderr);
  return JSON.parse(stdout) as readonly Imported[];
}

/** Runs a script in `folder` after TypeScript loading was switched on. */
export async function runHost(script: string, folder: string): Promise<Ended> {
  const main = path.join(folder, 'host.mjs');
  writeFileSync(
    main,
    `import { pathToFileURL } from 'node:url';
import { registerTypeScript } from ${JSON.stringify(register)};
registerTypeScript();
${script}`,
  );
  const child = spawn(process.execPath, [main], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { stdout, stderr, code };
}
