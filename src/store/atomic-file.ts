import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, fsync, openSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';
import { renameOver, syncFolder, unlinkQuietly, writeFully } from '../files/file-operations.js';
import { toStorageError } from './storage-error.js';

const fsyncAsync = promisify(fsync);

/**
 * Replaces a file atomically and durably; on failure, the old file stays and no temporary file is left.
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

/** True for the temporary file that `replaceFile` leaves when it is killed while replacing `path`. */
export function isLeftover(name: string, path: string): boolean {
  const base = `${basename(path)}.`;
  return name.startsWith(base) && /^[0-9a-f]{12}\.tmp$/.test(name.slice(base.length));
}
