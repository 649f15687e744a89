import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { textAtCommit } from '../../processes/git.js';
import { firstDifference } from '../../text/first-difference.js';
import { shortHash } from '../../text/short-hash.js';
import type { RunnerDependencies } from '../runner-dependencies.js';
import type { ExplainedInput } from './explained-input.js';
import type { OpenBase } from './open-base.js';

/**
 * Adds the first line that differs to what has changed in files, where git has the text of then: of files that were read
 * if their hash fits, of modules if the base ran in a clean working tree.
 */
export async function withLines(
  inputs: readonly ExplainedInput[],
  { run }: OpenBase,
  { cwd, redact }: RunnerDependencies,
): Promise<ExplainedInput[]> {
  const { commit, dirty } = run.head();
  if (commit === undefined) return [...inputs];
  const seen = new Set<string>();
  const found: ExplainedInput[] = [];
  for (const input of inputs) {
    const { part, name = '', state, before } = input;
    // `app.ts (answer)` is a part of a module: its line is shown once.
    const file = part === 'reads' ? name : name.replace(/ \([^)]*\)$/, '');
    const isText = part === 'reads' || (isModule(part) && dirty !== true);
    const isNews = state === 'changed' && isText && !seen.has(file);
    const then = isNews ? await textAtCommit(cwd, commit, file) : undefined;
    const fits = part !== 'reads' || (then !== undefined && shortHash(then) === before);
    const now = then !== undefined && fits ? textNow(resolve(cwd, file)) : undefined;
    const line = now === undefined ? undefined : firstDifference(redact(then ?? ''), redact(now));
    if (line !== undefined) seen.add(file);
    found.push({ ...input, ...(line && { line }) });
  }
  return found;
}

function isModule(part: ExplainedInput['part']): boolean {
  return part === 'target' || part === 'grading';
}

function textNow(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
