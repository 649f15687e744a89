import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Row } from '../../store/run-index.js';
import {
  flagsOf,
  lightRowsOf,
  type RowFlag,
  type RowSource,
  rowFlags,
  sourceEntries,
} from './light-row.js';
import { isLong } from './log-bytes.js';
import { foldCase, searchTexts } from './search-text.js';
import type { TextBudget, TextHolder } from './text-budget.js';
import { TextShelf } from './text-shelf.js';

/** Milliseconds after which other work gets its turn. */
const slice = 8;

/**
 * What searches need of the long values of a run, read from its log once and again only for rows that changed:
 * flags and, as far as the budget goes, the texts. Answers are exact; texts that are not held are read.
 */
export class RowDigests implements TextHolder {
  busy = false;
  usedAt = 0;
  readonly #known: (Row | undefined)[] = [];
  #flags = new Uint8Array(0);
  readonly #shelf: TextShelf;
  #queue: Promise<unknown> = Promise.resolve();
  /** How many wait for an answer; without any, reading ahead leaves half of the time to others. */
  #waiting = 0;

  constructor(budget: TextBudget) {
    this.#shelf = new TextShelf((bytes) => budget.makeRoom(bytes));
    budget.add(this);
  }

  get bytes(): number {
    return this.#shelf.bytes;
  }

  clear(): void {
    this.#shelf.clear();
    this.#known.length = 0;
  }

  /** Reads what is not known yet. */
  async warm(source: RowSource): Promise<void> {
    await this.#alone(() => this.#update(source));
  }

  /** For each row 1 when one of its texts holds the wanted one, in any case. */
  async search(source: RowSource, wanted: string, signal?: AbortSignal): Promise<Uint8Array> {
    return this.#awaited(async () => {
      signal?.throwIfAborted();
      await this.#update(source);
      const marks = new Uint8Array(source.rows.length);
      await this.#searchHeld(foldCase(wanted), marks, signal);
      await this.#searchLog(source, foldCase(wanted), marks, signal);
      return marks;
    });
  }

  /** Tells which rows have what. */
  async flags(source: RowSource): Promise<(index: number, flag: RowFlag) => boolean> {
    const flags = await this.#awaited(async () => {
      await this.#update(source);
      return this.#flags.slice();
    });
    return (index, flag) => ((flags[index] ?? 0) & bitOf(flag)) !== 0;
  }

  async #searchHeld(wanted: string, marks: Uint8Array, signal?: AbortSignal): Promise<void> {
    const bytes = Buffer.from(wanted);
    let since = performance.now();
    for (const piece of this.#shelf.pieces) {
      this.#shelf.markFound(piece, bytes, marks);
      if (performance.now() - since < slice) continue;
      await setImmediate();
      signal?.throwIfAborted();
      since = performance.now();
    }
  }

  async #searchLog(
    source: RowSource,
    wanted: string,
    marks: Uint8Array,
    signal?: AbortSignal,
  ): Promise<void> {
    const unheld: number[] = [];
    for (let index = 0; index < source.rows.length; index += 1) {
      if (!this.#shelf.has(index)) unheld.push(index);
    }
    for await (const { index, entry } of sourceEntries(source, unheld)) {
      signal?.throwIfAborted();
      if (searchTexts(entry).some((text) => foldCase(text).includes(wanted))) marks[index] = 1;
      // Parsing a long row holds everything else up; let it have its turn before the next.
      if (isLongAt(source.rows, index)) await setImmediate();
    }
  }

  async #update(source: RowSource): Promise<void> {
    const { rows } = source;
    if (this.#known.length !== rows.length) this.#resize(rows.length);
    const changed: number[] = [];
    for (let index = 0; index < rows.length; index += 1) {
      if (rows[index] !== this.#known[index]) changed.push(index);
    }
    await this.#readShort(
      source,
      changed.filter((index) => !isLongAt(rows, index)),
    );
    await this.#readLong(
      source,
      changed.filter((index) => isLongAt(rows, index)),
    );
  }

  async #readShort(source: RowSource, indices: readonly number[]): Promise<void> {
    if (indices.length === 0) return;
    let since = performance.now();
    for await (const { index, entry } of sourceEntries(source, indices)) {
      this.#shelf.put(index, searchTexts(entry).map(foldCase));
      this.#note(source, index, flagsOf(entry.result));
      if (performance.now() - since < slice) continue;
      await (this.#waiting > 0 ? setImmediate() : setTimeout(slice));
      since = performance.now();
    }
  }

  /** Their texts are not held, and for the flags a part of a row will do. */
  async #readLong(source: RowSource, indices: readonly number[]): Promise<void> {
    for (const { index, has } of await lightRowsOf(source, indices)) {
      this.#shelf.remove(index);
      this.#note(source, index, has);
    }
  }

  #note(source: RowSource, index: number, flags: readonly RowFlag[]): void {
    this.#flags[index] = flags.reduce((bits, flag) => bits | bitOf(flag), 0);
    this.#known[index] = source.rows[index];
  }

  #resize(count: number): void {
    this.#known.length = count;
    this.#shelf.resize(count);
    const flags = new Uint8Array(count);
    flags.set(this.#flags.subarray(0, count));
    this.#flags = flags;
  }

  async #awaited<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    try {
      return await this.#alone(work);
    } finally {
      this.#waiting -= 1;
    }
  }

  /** One at a time: a search must find the texts of just the rows it was asked about. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(async () => {
      this.busy = true;
      this.usedAt = performance.now();
      try {
        return await work();
      } finally {
        this.busy = false;
      }
    });
    this.#queue = done.catch(() => undefined);
    return done;
  }
}

function isLongAt(rows: readonly Row[], index: number): boolean {
  const row = rows[index];
  return row !== undefined && isLong(row);
}

function bitOf(flag: RowFlag): number {
  return 1 << rowFlags.indexOf(flag);
}
