import { closeSync, constants, fsync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { hasSystemCode } from '../errors.js';

const fsyncAsync = promisify(fsync);

const tries = 10;
const firstPauseMs = 10;

/**
 * Renames a file or folder, replacing an existing file. On Windows, retries for up to half a second while another
 * program, such as a virus scanner, has either of them open.
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

/** Appends all bytes to the file, repeating partial writes. */
export function writeFully(fd: number, bytes: Buffer): void {
  let written = 0;
  while (written < bytes.length) {
    const taken = writeSync(fd, bytes, written, bytes.length - written);
    if (taken === 0) throw Object.assign(new Error('nothing was written'), { code: 'ENOSPC' });
    written += taken;
  }
}

/** Syncs a folder, so that its names are durable; does nothing where the system does not support it. */
export async function syncFolder(folder: string): Promise<void> {
  let fd: number | undefined;
  try {
    fd = openSync(folder, constants.O_RDONLY);
    await fsyncAsync(fd);
  } catch {
    // Windows cannot sync a folder. The data itself is already written.
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Removes a file if it exists; ignores errors. */
export function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It no longer exists, or it cannot be removed.
  }
}
