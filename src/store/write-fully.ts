import { writeSync } from 'node:fs';

/** Writes every byte at the current end of the file, however often the system takes only a part of them. */
export function writeFully(fd: number, bytes: Buffer): void {
  let written = 0;
  while (written < bytes.length) {
    const taken = writeSync(fd, bytes, written, bytes.length - written);
    if (taken === 0) throw Object.assign(new Error('nothing was written'), { code: 'ENOSPC' });
    written += taken;
  }
}
