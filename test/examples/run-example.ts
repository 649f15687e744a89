import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { RunJson } from '../../src/model/run.js';
import { runInSharedProcess } from '../helpers/shared-process.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a command in the checkout, without any variable that a client could read, and returns what it prints on stdout as JSON. */
export async function assayJson(...args: string[]): Promise<RunJson> {
  const { stdout, stderr } = await runInSharedProcess(args, root, { PATH: process.env.PATH });
  expect(stdout, stderr).to.match(/^\{/);
  return JSON.parse(stdout) as RunJson;
}

/** Runs an example as a user would, saving nothing, and returns its run JSON. */
export function runExample(...args: string[]): Promise<RunJson> {
  return assayJson('run', ...args, '--no-save', '--json');
}
