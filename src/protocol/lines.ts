/** Longest line that is accepted, in bytes; four values of 16 MiB and their frame fit. */
export const maxLineBytes = 96 * 1024 * 1024;

/** Cuts a byte stream into lines; chunks of any size may come. */
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
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(10, from);
      if (end === -1) break;
      this.#onLine(this.#take(chunk.subarray(from, end)));
      from = end + 1;
    }
    if (from === chunk.length) return;
    const rest = from === 0 ? chunk : chunk.subarray(from);
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
