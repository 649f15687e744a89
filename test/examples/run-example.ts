import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RunJson } from '../../src/model/run.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a program of the checkout with Node, from its root, and returns what it prints on stdout. */
export function runNode(...args: string[]): string {
  return execFileSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    // What is printed on stderr is part of the error when it fails, and else nobody's business.
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs an example as a user would, saving nothing, and returns its run JSON. */
export function runExample(...args: string[]): RunJson {
  return JSON.parse(runNode('bin/run.js', 'run', ...args, '--no-save', '--json')) as RunJson;
}
