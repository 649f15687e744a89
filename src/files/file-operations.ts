import { closeSync, constants, fsync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { hasSystemCode } from '../errors.js';

const fsyncAsync = promisify(fsync);

const tries = 10;
const firstPauseMs = 10;

/**
 * Renames a file or folder, over another file if there is one. Windows refuses that while anybody has one of them
 * open, as virus scanners and indexers do for moments; there it is tried again for up to half a second.
 */
export function renameOver(from: string, to: string): void {
  for (let left = tries; ; left -= 1) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      const isInUse =
        process.platform === 'win32' && hasSystemCode(error, 'EPERM', 'EACCES', 'EBUSY');
      if (!isInUse || left === 1) throw error;
    }
    pause(firstPauseMs * (tries - left + 1));
  }
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Writes every byte at the current end of the file, however often the system takes only a part of them. */
export function writeFully(fd: number, bytes: Buffer): void {
  let written = 0;
  while (written < bytes.length) {
    const taken = writeSync(fd, bytes, written, bytes.length - written);
    if (taken === 0) throw Object.assign(new Error('nothing was written'), { code: 'ENOSPC' });
    written += taken;
  }
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
