import { realpath } from 'node:fs/promises';
import { AssayError } from '../../errors.js';
import type { EvalFile } from '../../protocol/messages.js';
import { isInside } from '../../text/file-path.js';
import { isNamedEvalFile } from '../discovery/find-files.js';

/**
 * Checks the files that a saved run wants to import. A run may come from somebody else: it may only name code
 * inside `roots` (links resolved), and only eval files and files that it has results of.
 * @throws {AssayError} `view-only`
 */
export async function checkStoredFiles(
  files: readonly EvalFile[],
  evaluations: ReadonlySet<string>,
  roots: readonly string[],
): Promise<void> {
  const real = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
  for (const { name, path } of files) {
    const file = await realpath(path);
    if (!real.some((root) => isInside(root, file))) throw outside(name, roots);
    if (!isNamedEvalFile(name) && !hasResults(name, evaluations)) throw noEvalFile(name);
  }
}

function hasResults(file: string, evaluations: ReadonlySet<string>): boolean {
  return [...evaluations].some((evaluation) => evaluation.startsWith(`${file}::`));
}

function outside(name: string, roots: readonly string[]): AssayError {
  const where = roots.join(' and ');
  return new AssayError('view-only', `The evals of this run, ${name}, are outside of ${where}.`, {
    hints: ['Start assay in a folder that contains them, or start a new run: assay run PATH'],
  });
}

function noEvalFile(name: string): AssayError {
  return new AssayError(
    'view-only',
    `${name} is not an eval file, and this run has no result of it.`,
    {
      hints: ['An eval file is named *.eval.ts. To run it all the same: assay run PATH'],
    },
  );
}
