import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { AssayError, hasSystemCode } from '../errors.js';

/** Throws `storage-unusable` unless `path` is a writable folder or one that could be created. Creates nothing. */
export function checkCreatableFolder(path: string): void {
  let at = path;
  for (;;) {
    try {
      if (!statSync(at).isDirectory()) throw unusable(path, `${at} is not a folder`);
      accessSync(at, constants.W_OK | constants.X_OK);
      return;
    } catch (cause) {
      if (cause instanceof AssayError) throw cause;
      const parent = dirname(at);
      if (!hasSystemCode(cause, 'ENOENT', 'ENOTDIR') || parent === at) {
        throw unusable(path, `${at} cannot be written to`, cause);
      }
      at = parent;
    }
  }
}

function unusable(path: string, reason: string, cause?: unknown): AssayError {
  return new AssayError('storage-unusable', `Results cannot be saved in ${path}: ${reason}.`, {
    cause,
    hints: ['Choose another folder as results_dir.'],
  });
}
