import { renameSync } from 'node:fs';
import { hasSystemCode } from '../errors.js';

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
