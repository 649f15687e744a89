const smallestChunk = 64 * 1024;
const largestChunk = 1024 * 1024;
const longestText = 32 * 1024;
// This byte does not occur in UTF-8, so no match spans two texts.
const separator = 0xff;
const nowhere = -1;

interface Chunk {
  readonly bytes: Buffer;
  used: number;
  /** Bytes of texts still in use. */
  live: number;
  /** The start of the texts of each row, ascending, and the row. */
  readonly starts: number[];
  readonly rows: number[];
}

/** The texts of rows in large buffers outside the heap, which are quick to search. */
export class TextPool {
  /** Allocated bytes, used or not. */
  bytes = 0;
  #chunks: (Chunk | undefined)[] = [];
  /** The number of the chunk being filled. */
  #last = nowhere;
  #chunkOf = new Int32Array(0);
  #startOf = new Uint32Array(0);
  readonly #mayTake: (bytes: number) => boolean;

  /** `mayTake`: called before more memory is allocated. */
  constructor(mayTake: (bytes: number) => boolean) {
    this.#mayTake = mayTake;
  }

  /** Resizes to rows 0 to `count` − 1; texts of other rows are removed. */
  resize(count: number): void {
    for (let row = count; row < this.#chunkOf.length; row += 1) this.remove(row);
    const chunkOf = new Int32Array(count).fill(nowhere);
    const startOf = new Uint32Array(count);
    chunkOf.set(this.#chunkOf.subarray(0, count));
    startOf.set(this.#startOf.subarray(0, count));
    this.#chunkOf = chunkOf;
    this.#startOf = startOf;
  }

  has(row: number): boolean {
    return (this.#chunkOf[row] ?? nowhere) !== nowhere;
  }

  /** Replaces the texts of a row. False if they are too long or there is no room; then the row has none. */
  put(row: number, texts: readonly string[]): boolean {
    this.remove(row);
    const length = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
    const place = length > longestText ? undefined : this.#room(length);
    if (place === undefined) return false;
    const { bytes, used } = place.chunk;
    let end = used;
    for (const text of texts) {
      end += bytes.write(text, end);
      bytes[end] = separator;
      end += 1;
    }
    this.#take(row, place, length);
    return true;
  }

  /** Removes the texts of a row. */
  remove(row: number): void {
    const number = this.#chunkOf[row] ?? nowhere;
    const chunk = this.#chunks[number];
    if (chunk === undefined) return;
    const start = this.#startOf[row] ?? 0;
    chunk.live -= endOf(chunk, slotAt(chunk, start)) - start;
    this.#chunkOf[row] = nowhere;
    if (number !== this.#last && isWaste(chunk)) this.#empty(number, chunk);
  }

  /** The numbers of the chunks to search. */
  get pieces(): Iterable<number> {
    return this.#chunks.keys();
  }

  /** Sets 1 for the rows of one chunk whose texts contain the bytes. */
  markFound(piece: number, wanted: Buffer, marks: Uint8Array): void {
    const chunk = this.#chunks[piece];
    if (chunk === undefined) return;
    const bytes = chunk.bytes.subarray(0, chunk.used);
    let slot = 0;
    for (let at = bytes.indexOf(wanted); at !== -1; ) {
      while (endOf(chunk, slot) <= at) slot += 1;
      const row = chunk.rows[slot] ?? nowhere;
      if (this.#isAt(row, piece, chunk.starts[slot])) marks[row] = 1;
      const next = endOf(chunk, slot);
      at = next < chunk.used ? bytes.indexOf(wanted, next) : -1;
    }
  }

  /** Frees all memory. */
  clear(): void {
    this.#chunks = [];
    this.#last = nowhere;
    this.#chunkOf.fill(nowhere);
    this.bytes = 0;
  }

  #isAt(row: number, number: number, start: number | undefined): boolean {
    return this.#chunkOf[row] === number && this.#startOf[row] === start;
  }

  #room(length: number): { readonly number: number; readonly chunk: Chunk } | undefined {
    const last = this.#chunks[this.#last];
    if (last !== undefined && last.used + length <= last.bytes.length) {
      return { number: this.#last, chunk: last };
    }
    const size = Math.min(largestChunk, Math.max(smallestChunk, this.bytes));
    if (!this.#mayTake(size)) return undefined;
    const chunk = { bytes: Buffer.allocUnsafeSlow(size), used: 0, live: 0, starts: [], rows: [] };
    const free = this.#chunks.indexOf(undefined);
    const number = free === -1 ? this.#chunks.length : free;
    const full = this.#last;
    this.#chunks[number] = chunk;
    this.#last = number;
    this.bytes += size;
    if (last !== undefined && isWaste(last)) this.#empty(full, last);
    return this.#chunks[this.#last] === chunk ? { number, chunk } : this.#room(length);
  }

  #take(row: number, place: { readonly number: number; readonly chunk: Chunk }, length: number) {
    const { number, chunk } = place;
    this.#chunkOf[row] = number;
    this.#startOf[row] = chunk.used;
    chunk.starts.push(chunk.used);
    chunk.rows.push(row);
    chunk.used += length;
    chunk.live += length;
  }

  /** Moves the used texts of a chunk to the chunk being filled. */
  #empty(number: number, chunk: Chunk): void {
    this.bytes -= chunk.bytes.length;
    for (const [slot, start] of chunk.starts.entries()) {
      const row = chunk.rows[slot] ?? nowhere;
      if (!this.#isAt(row, number, start)) continue;
      const end = endOf(chunk, slot);
      const place = this.#room(end - start);
      this.#chunkOf[row] = nowhere;
      if (place === undefined) continue;
      chunk.bytes.copy(place.chunk.bytes, place.chunk.used, start, end);
      this.#take(row, place, end - start);
    }
    this.#chunks[number] = undefined;
  }
}

function isWaste({ live, used }: Chunk): boolean {
  return live < used / 2;
}

/** The slot of a chunk that begins at an offset. */
function slotAt({ starts }: Chunk, start: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

function endOf(chunk: Chunk, slot: number): number {
  return chunk.starts[slot + 1] ?? chunk.used;
}
