import { mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AssayError, hasSystemCode } from '../errors.js';

/**
 * Makes sure that `path` is a folder in which files can be written, or could be created as one: makes a folder where it or
 * its nearest ancestor is, and removes it again. Permissions alone do not tell: nothing can be made in `/proc`.
 * @throws {AssayError} `bad-settings`
 */
export function checkCreatableFolder(path: string): void {
  let at = path;
  for (;;) {
    try {
      if (!statSync(at).isDirectory()) throw unusable(path, `${at} is not a folder`);
    } catch (cause) {
      if (cause instanceof AssayError) throw cause;
      const parent = dirname(at);
      if (!hasSystemCode(cause, 'ENOENT', 'ENOTDIR') || parent === at)
        throw unwritable(path, at, cause);
      at = parent;
      continue;
    }
    try {
      rmdirSync(mkdtempSync(join(at, '.assay-')));
      return;
    } catch (cause) {
      throw unwritable(path, at, cause);
    }
  }
}

function unwritable(path: string, at: string, cause: unknown): AssayError {
  return unusable(path, `${at} cannot be written to`, cause);
}

function unusable(path: string, reason: string, cause?: unknown): AssayError {
  return new AssayError('bad-settings', `Results cannot be saved in ${path}: ${reason}.`, {
    cause,
    hints: ['Choose another folder as results_dir.'],
  });
}
