import { constants, type Stats } from 'node:fs';
import { access, type FileHandle, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AssayError, hasSystemCode } from '../errors.js';
import { unlinkQuietly } from '../files/file-operations.js';
import { sweepLeftovers, temporaryPath } from '../files/temporary-files.js';
import { toOutputError } from './output.js';
import { cleanOnSignal } from './signals.js';

/**
 * Writes a document to a file and returns its size in bytes. An existing file is replaced atomically, so a failure
 * leaves it unchanged. Anything but a regular file (`/dev/stdout`, a pipe) is written to directly. Errors:
 * `storage-full`, `storage-unusable`.
 */
export async function writeToFile(path: string, pieces: AsyncIterable<string>): Promise<number> {
  const existing = await lookAt(path);
  if (existing?.isDirectory()) throw folderError(path);
  if (existing !== undefined && !existing.isFile()) return writeInto(path, pieces);
  return replaceWith(path, existing, pieces);
}

/** Checks in advance that a file can be written. Errors: `usage`, `storage-unusable`. */
export async function checkOutputFile(path: string): Promise<void> {
  if (path.trim() === '') throw new AssayError('usage', 'The name of a file to write is empty.');
  const existing = await lookAt(path);
  if (existing?.isDirectory()) throw folderError(path);
  const target = existing === undefined ? dirname(path) : path;
  await saying(path, access(target, constants.W_OK));
}

/** Removes what an earlier command has written to a file; not what is no regular file. Error: `storage-unusable`. */
export async function removeFile(path: string): Promise<void> {
  const existing = await lookAt(path);
  if (existing?.isFile()) await saying(path, unlink(await realpath(path)));
}

async function lookAt(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return undefined;
    throw toOutputError(error, path);
  }
}

async function writeInto(path: string, pieces: AsyncIterable<string>): Promise<number> {
  const handle = await saying(path, open(path, 'w'));
  try {
    return await fill(handle, path, pieces);
  } finally {
    await handle.close();
  }
}

async function replaceWith(
  path: string,
  existing: Stats | undefined,
  pieces: AsyncIterable<string>,
): Promise<number> {
  // A link stays a link, and a read-only file is not replaced.
  const target = existing === undefined ? path : await saying(path, realpath(path));
  if (existing !== undefined) await saying(path, access(target, constants.W_OK));
  sweepLeftovers(dirname(target));
  const temporary = temporaryPath(target);
  const handle = await saying(path, open(temporary, 'wx'));
  const stopListening = cleanOnSignal(() => unlinkQuietly(temporary));
  try {
    try {
      const size = await fill(handle, path, pieces);
      if (existing !== undefined) await saying(path, handle.chmod(existing.mode & 0o777));
      // Some file systems report only here that they are full.
      await saying(path, handle.sync());
      await saying(path, rename(temporary, target));
      return size;
    } finally {
      await handle.close();
    }
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  } finally {
    stopListening();
  }
}

async function fill(
  handle: FileHandle,
  path: string,
  pieces: AsyncIterable<string>,
): Promise<number> {
  let written = 0;
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece);
    // Not `write`, which may write only a part.
    await saying(path, handle.writeFile(bytes));
    written += bytes.length;
  }
  return written;
}

/** Maps errors of file operations to errors that name the path. Errors of the pieces pass through unchanged. */
async function saying<T>(path: string, step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    throw toOutputError(error, path);
  }
}

function folderError(path: string): AssayError {
  return new AssayError('storage-unusable', `Cannot write ${path}: it is a folder.`, {
    hints: ['Name a file in it.'],
  });
}
