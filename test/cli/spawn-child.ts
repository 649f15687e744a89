import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { builtScript } from '../helpers/built-script.js';

/** Starts a script of the folder `children`. */
export function spawnChild(
  name: string,
  argv: readonly string[] = [],
  stdio: StdioOptions = 'pipe',
): ChildProcess {
  const script = builtScript(new URL(`children/${name}.ts`, import.meta.url));
  return spawn(process.execPath, [script, ...argv], { stdio });
}

/** Collects what a stream of a child says. */
export function collect(stream: NodeJS.ReadableStream | null | undefined): () => string {
  let text = '';
  stream?.on('data', (bytes) => {
    text += bytes;
  });
  return () => text;
}
