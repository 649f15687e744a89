/** Maximum length of a line in bytes: four values of 16 MiB and their frame. */
export const maxLineBytes = 96 * 1024 * 1024;

const lineFeed = 10;

/** Splits a byte stream into lines; chunks may have any size. */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  readonly #onOverflow: () => void;
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  constructor(onLine: (line: string) => void, onOverflow: () => void) {
    this.#onLine = onLine;
    this.#onOverflow = onOverflow;
  }

  push(chunk: Buffer): void {
    const end = chunk.lastIndexOf(lineFeed);
    if (end !== -1) {
      // Decodes all lines of a chunk at once, because decoding many short ones is slow.
      for (const line of this.#take(chunk.subarray(0, end)).split('\n')) this.#onLine(line);
    }
    if (end === chunk.length - 1) return;
    const rest = chunk.subarray(end + 1);
    this.#pending.push(rest);
    this.#pendingBytes += rest.length;
    if (this.#pendingBytes > maxLineBytes) {
      this.#pending = [];
      this.#pendingBytes = 0;
      this.#onOverflow();
    }
  }

  #take(last: Buffer): string {
    if (this.#pending.length === 0) return last.toString('utf8');
    const whole = Buffer.concat([...this.#pending, last]);
    this.#pending = [];
    this.#pendingBytes = 0;
    return whole.toString('utf8');
  }
}
