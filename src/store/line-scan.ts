import { readFully } from './regular-file.js';

/** Called with the bytes of one line, without its line end, and where it starts in the file. */
export type OnLine = (bytes: Buffer, start: number, end: number, offset: number) => void;

// Text beyond this cannot become one string in V8, and no line of ours comes near it.
const longestLine = 256 * 1024 * 1024;
const sliceSize = 1024 * 1024;

/** Reads the lines of a growing file piece by piece, from where it stopped the last time. */
export class LineScan {
  /** Byte after the last line that was taken in. */
  position = 0;
  #skipping = false;
  #buffer = Buffer.alloc(0);

  /**
   * Reads one slice up to `end`, the size of the file. False when all whole lines up to there were read.
   * What follows the last line end stays unread.
   */
  step(fd: number, end: number, onLine: OnLine): boolean {
    for (let size = sliceSize; this.position < end; size *= 2) {
      const bytes = this.#read(fd, Math.min(size, end - this.position));
      const taken = this.#lines(bytes, onLine);
      this.position += taken;
      if (taken > 0) return this.position < end && bytes.length >= sliceSize;
      if (bytes.length < size) return false;
      if (size >= longestLine || this.#skipping) {
        this.#skipping = true;
        this.position += bytes.length;
        return true;
      }
    }
    return false;
  }

  /** Gives the memory of the last slice back. */
  release(): void {
    this.#buffer = Buffer.alloc(0);
  }

  #read(fd: number, length: number): Buffer {
    if (this.#buffer.length < length) this.#buffer = Buffer.allocUnsafe(length);
    const bytes = this.#buffer.subarray(0, length);
    return bytes.subarray(0, readFully(fd, bytes, this.position));
  }

  #lines(bytes: Buffer, onLine: OnLine): number {
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      // What is left of a line that is too long reaches the caller as a line it cannot parse either.
      this.#skipping = false;
      if (end > start) onLine(bytes, start, end, this.position + start);
      start = end + 1;
    }
    return start;
  }
}
