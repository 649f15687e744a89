import { readFully } from '../../files/regular-file.js';

/** Called with the bytes of a line, without its line end, and its offset in the file. */
export type OnLine = (bytes: Buffer, start: number, end: number, offset: number) => void;

/** Maximum length of a line: near the maximum length of a string in V8, and far longer than any line of a log. */
export const longestLine = 256 * 1024 * 1024;
const sliceSize = 1024 * 1024;

/**
 * Reads the lines of a growing file in slices, and continues where it stopped. A line that is too long is passed to the
 * caller without its bytes.
 */
export class LineScan {
  #position = 0;
  /** Bytes of an unfinished line that is already too long. */
  #passed = 0;
  #buffer = Buffer.alloc(0);

  /** The offset after the last complete line. */
  get position(): number {
    return this.#position;
  }

  /** Continues at an offset. */
  continueAt(position: number): void {
    this.#position = position;
    this.#passed = 0;
  }

  /**
   * Reads one slice up to `end`, the size of the file. False when all whole lines up to there were read.
   * What follows the last line end stays unread.
   */
  step(fd: number, end: number, onLine: OnLine): boolean {
    // The file may have been truncated since.
    if (end < this.#position + this.#passed) this.#passed = 0;
    const from = this.#position + this.#passed;
    for (let size = sliceSize; from < end; size *= 2) {
      const bytes = this.#read(fd, from, Math.min(size, end - from));
      if (this.#takeLines(bytes, from, onLine)) {
        return this.#position < end && bytes.length >= sliceSize;
      }
      if (bytes.length < size) return false;
      if (size >= longestLine || this.#passed > 0) {
        this.#passed += bytes.length;
        return true;
      }
    }
    return false;
  }

  /** Frees the memory of the last slice. */
  release(): void {
    this.#buffer = Buffer.alloc(0);
  }

  #read(fd: number, from: number, length: number): Buffer {
    if (this.#buffer.length < length) this.#buffer = Buffer.allocUnsafe(length);
    const bytes = this.#buffer.subarray(0, length);
    return bytes.subarray(0, readFully(fd, bytes, from));
  }

  /** Reads the lines that end in these bytes of the file; false if there are none. */
  #takeLines(bytes: Buffer, from: number, onLine: OnLine): boolean {
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      if (this.#passed > 0) onLine(bytes, 0, 0, this.#position);
      else if (end > start) onLine(bytes, start, end, from + start);
      start = end + 1;
      this.continueAt(from + start);
    }
    return start > 0;
  }
}
