import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { createRequire } from 'node:module';

const loader = createRequire(import.meta.url).resolve('tsx');

/** Starts a script of the folder `children`. */
export function spawnChild(
  name: string,
  argv: readonly string[] = [],
  stdio: StdioOptions = 'pipe',
): ChildProcess {
  const script = new URL(`children/${name}.ts`, import.meta.url).pathname;
  return spawn(process.execPath, ['--import', loader, script, ...argv], { stdio });
}

/** Collects what a stream of a child says. */
export function collect(stream: NodeJS.ReadableStream | null | undefined): () => string {
  let text = '';
  stream?.on('data', (bytes) => {
    text += bytes;
  });
  return () => text;
}
