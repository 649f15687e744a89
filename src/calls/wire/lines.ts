const lineFeed = 10;
const carriageReturn = 13;

/** Splits bytes into lines of text at LF, CR and CR LF, wherever the chunks are cut; takes time in proportion to the bytes. */
export class Lines {
  readonly #decoder = new TextDecoder();
  #pending: Uint8Array[] = [];
  #afterReturn = false;

  /** The lines that end in this chunk. */
  push(chunk: Uint8Array): string[] {
    const lines: string[] = [];
    let start = 0;
    if (this.#afterReturn && chunk.length > 0) {
      if (chunk[0] === lineFeed) start = 1;
      this.#afterReturn = false;
    }
    let feed = indexOf(chunk, lineFeed, start);
    let ret = indexOf(chunk, carriageReturn, start);
    while (feed < chunk.length || ret < chunk.length) {
      const end = Math.min(feed, ret);
      lines.push(this.#take(chunk.subarray(start, end)));
      start = end + 1;
      if (end === ret) {
        if (start === chunk.length) this.#afterReturn = true;
        else if (chunk[start] === lineFeed) start += 1;
      }
      // Each is looked up again only when it is passed: a search to the end of the chunk for each line takes too long.
      if (feed < start) feed = indexOf(chunk, lineFeed, start);
      if (ret < start) ret = indexOf(chunk, carriageReturn, start);
    }
    // A copy: the owner of the chunk may use its memory again.
    if (start < chunk.length) this.#pending.push(chunk.slice(start));
    return lines;
  }

  /** The last line, if it is unterminated. */
  end(): string[] {
    return this.#pending.length === 0 ? [] : [this.#take(new Uint8Array())];
  }

  #take(last: Uint8Array): string {
    if (this.#pending.length === 0) return this.#decoder.decode(last);
    const line = joinBytes([...this.#pending, last]);
    this.#pending = [];
    return this.#decoder.decode(line);
  }
}

/** Position of a byte; the length of the bytes if it is missing. */
function indexOf(bytes: Uint8Array, byte: number, from: number): number {
  const at = bytes.indexOf(byte, from);
  return at === -1 ? bytes.length : at;
}

/** All bytes of a list of chunks. */
export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}
