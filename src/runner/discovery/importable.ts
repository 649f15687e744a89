import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AssayError } from '../../errors.js';
import type { EvalFile } from '../../protocol/messages.js';
import { isInside, relativePath, slashed } from '../../text/file-path.js';
import { nameText } from '../../text/name-text.js';
import { pathWord } from '../../text/shell-word.js';
import type { ImportRules } from '../runner-dependencies.js';
import { isNamedEvalFile, splitPath } from './find-files.js';

/**
 * Refuses files that a search in the roots would not find: those outside, in dot folders, in `node_modules` or among data of
 * assay, and those that are no eval files. Links are followed first. A file that is itself a root may be anything.
 * @throws {AssayError} `view-only`
 */
export async function checkImportable(
  files: readonly EvalFile[],
  rules: ImportRules,
): Promise<void> {
  const real = {
    roots: await Promise.all(rules.roots.map(realPath)),
    leftOut: await Promise.all(rules.leftOut.map(realPath)),
  };
  for (const { name, path } of files) {
    const problem = problemOf(path, rules) ?? problemOf(await realPath(path), real);
    if (problem !== undefined) throw refusal(name, problem, rules);
    const isNamed = rules.roots.includes(path);
    if (!isNamed && !isNamedEvalFile(path)) throw refusal(name, 'no-eval-file', rules);
  }
}

/**
 * Refuses paths and globs of a saved run that lead to where nothing may be imported from, before anything looks there.
 * @throws {AssayError} `view-only`
 */
export function checkAskedPaths(paths: readonly string[], cwd: string, rules: ImportRules): void {
  const check = (path: string, given: string) => {
    const problem = problemOf(resolve(cwd, withoutGlob(path)), rules);
    if (problem !== undefined) throw refusal(given, problem, rules);
  };
  for (const given of paths) {
    const [first = given] = given.split('::');
    check(first, given);
    check(splitPath(given, cwd).path, given);
  }
}

type Problem = 'outside' | 'hidden' | 'no-eval-file';

function problemOf(path: string, { roots, leftOut }: ImportRules): Problem | undefined {
  const around = roots.filter((root) => isInside(root, path));
  if (around.length === 0) return 'outside';
  return around.some((root) => isSearched(path, root, leftOut)) ? undefined : 'hidden';
}

function isSearched(path: string, root: string, leftOut: readonly string[]): boolean {
  const way = relativePath(root, path).split('/');
  if (way.some((name) => name.startsWith('.') || name === 'node_modules')) return false;
  return !leftOut.some((folder) => !isInside(folder, root) && isInside(folder, path));
}

/** The part of a glob before the first name with a sign of globs. */
function withoutGlob(path: string): string {
  const names = slashed(path).split('/');
  const at = names.findIndex((name) => /[*?{[(!]/.test(name));
  return at === -1 ? path : names.slice(0, at).join('/');
}

function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

function refusal(name: string, problem: Problem, { roots }: ImportRules): AssayError {
  const shown = nameText(name);
  const anyway = `To run it all the same, name it on the command line: assay run ${pathWord(name)} --rerun RUN`;
  switch (problem) {
    case 'outside':
      return new AssayError(
        'view-only',
        `The evals of this run, ${shown}, are outside of ${roots.join(' and ')}.`,
        {
          hints: ['Start assay in a folder that contains them, or start a new run: assay run PATH'],
        },
      );
    case 'hidden':
      return new AssayError(
        'view-only',
        `This run names ${shown}: eval files are not searched in dot folders, node_modules, results and recordings.`,
        { hints: [anyway] },
      );
    case 'no-eval-file':
      return new AssayError('view-only', `This run names ${shown}, which is not an eval file.`, {
        hints: [`An eval file is named *.eval.ts. ${anyway}`],
      });
  }
}
