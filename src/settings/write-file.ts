import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { AssayError, hasSystemCode } from '../errors.js';
import { renameOver, unlinkQuietly, writeFully } from '../files/file-operations.js';

/**
 * Replaces a small text file atomically: after any failure it contains the old text or the new one. A link keeps
 * its target, a file keeps its mode, and a read-only file is not changed. Throws `storage-full` or
 * `storage-unusable`.
 */
export function writeFileAtomically(path: string, text: string): void {
  let temporary: string | undefined;
  try {
    const target = existingTarget(path);
    const final = target?.path ?? path;
    const name = `.${basename(final)}.${randomBytes(6).toString('hex')}.tmp`;
    temporary = join(dirname(final), name);
    writeDurably(temporary, Buffer.from(text), target?.mode);
    renameOver(temporary, final);
    temporary = undefined;
    syncFolder(dirname(final));
  } catch (cause) {
    if (temporary !== undefined) unlinkQuietly(temporary);
    throw writeError(path, cause);
  }
}

function existingTarget(path: string): { path: string; mode: number } | undefined {
  try {
    const real = realpathSync(path);
    accessSync(real, constants.W_OK);
    return { path: real, mode: statSync(real).mode & 0o777 };
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function writeDurably(path: string, bytes: Buffer, mode: number | undefined): void {
  const file = openSync(path, 'wx', mode ?? 0o666);
  try {
    // The umask masks the mode given to open.
    if (mode !== undefined) fchmodSync(file, mode);
    writeFully(file, bytes);
    fsyncSync(file);
    if (fstatSync(file).size !== bytes.length) throw new Error('not all of it was written');
  } finally {
    closeSync(file);
  }
}

/** Makes the rename itself durable, on systems where folders can be opened. */
function syncFolder(path: string): void {
  let folder: number | undefined;
  try {
    folder = openSync(path, 'r');
    fsyncSync(folder);
  } catch {
    // The new text is in place, so an error here must not say that the file was left unchanged.
  } finally {
    if (folder !== undefined) closeSync(folder);
  }
}

function writeError(path: string, cause: unknown): AssayError {
  if (hasSystemCode(cause, 'ENOSPC', 'EDQUOT')) {
    return new AssayError('storage-full', `The disk is full: ${path} was left as it was.`, {
      cause,
      hints: ['Make room and try again.'],
    });
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new AssayError('storage-unusable', `${path} cannot be written: ${reason}.`, {
    cause,
    hints: ['Check that its folder exists and that you may write there.'],
  });
}
