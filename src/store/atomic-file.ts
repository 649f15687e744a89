import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, fsync, openSync, unlinkSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';
import { renameOver } from '../files/rename-over.js';
import { toStorageError } from './storage-error.js';
import { writeFully } from './write-fully.js';

const fsyncAsync = promisify(fsync);

/**
 * Replaces a file as a whole: afterwards it is the old one or the new one, on disk, and nothing is left beside it.
 * Errors: `storage-full`, `storage-unusable`.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const fd = openSync(temporary, 'wx', 0o600);
    try {
      await fill(fd, Buffer.from(text));
      renameOver(temporary, path);
    } catch (error) {
      unlinkQuietly(temporary);
      throw error;
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw toStorageError(error, dirname(path));
  }
  await syncFolder(dirname(path));
}

async function fill(fd: number, bytes: Buffer): Promise<void> {
  writeFully(fd, bytes);
  await fsyncAsync(fd);
  if (fstatSync(fd).size !== bytes.length) {
    throw Object.assign(new Error('the file is shorter than what was written'), { code: 'ENOSPC' });
  }
}

/** True for the name of what `replaceFile` leaves behind when it is killed while replacing `path`. */
export function isLeftover(name: string, path: string): boolean {
  const base = `${basename(path)}.`;
  return name.startsWith(base) && /^[0-9a-f]{12}\.tmp$/.test(name.slice(base.length));
}

/** Makes the names in a folder durable; quiet where the system cannot do that. */
export async function syncFolder(folder: string): Promise<void> {
  let fd: number | undefined;
  try {
    fd = openSync(folder, constants.O_RDONLY);
    await fsyncAsync(fd);
  } catch {
    // Windows cannot sync a folder, and the data itself is written already.
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Removes a file if it is there. */
export function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It is gone, or it stays until somebody may remove it.
  }
}
