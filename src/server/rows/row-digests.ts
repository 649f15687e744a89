import { setImmediate } from 'node:timers/promises';
import type { ResultEntry } from '../../model/result.js';
import type { Row } from '../../store/run-index.js';
import type { RunSnapshot } from '../../store/stored-run.js';
import { flagsOf, type RowFlag, rowFlags } from './light-row.js';
import { logBytes } from './log-bytes.js';
import { foldCase, searchTexts } from './search-text.js';
import type { TextBudget, TextHolder } from './text-budget.js';
import { TextShelf } from './text-shelf.js';

/** What is read of a run: its rows and their values at one moment. */
export type RowSource = Pick<RunSnapshot, 'rows' | 'entries'>;

/** Rows that take more than this of the log are looked through in the log. */
const longFrom = 64 * 1024;
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
    return this.#alone(async () => {
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
    const flags = await this.#alone(async () => {
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
    const unheld = [...source.rows.keys()].filter((index) => !this.#shelf.has(index));
    for await (const { index, entry } of source.entries(unheld)) {
      signal?.throwIfAborted();
      if (searchTexts(entry).some((text) => foldCase(text).includes(wanted))) marks[index] = 1;
      await turn(source.rows[index]);
    }
  }

  async #update(source: RowSource): Promise<void> {
    const { rows } = source;
    if (this.#known.length !== rows.length) this.#resize(rows.length);
    const changed: number[] = [];
    for (let index = 0; index < rows.length; index += 1) {
      if (rows[index] !== this.#known[index]) changed.push(index);
    }
    if (changed.length === 0) return;
    for await (const { index, entry } of source.entries(changed)) {
      const row = rows[index];
      if (row === undefined) continue;
      this.#note(index, row, entry);
      await turn(row);
    }
  }

  #note(index: number, row: Row, entry: ResultEntry): void {
    this.#flags[index] = flagsOf(entry.result).reduce((bits, flag) => bits | bitOf(flag), 0);
    if (logBytes(row) > longFrom) this.#shelf.remove(index);
    else this.#shelf.put(index, searchTexts(entry).map(foldCase));
    this.#known[index] = row;
  }

  #resize(count: number): void {
    this.#known.length = count;
    this.#shelf.resize(count);
    const flags = new Uint8Array(count);
    flags.set(this.#flags.subarray(0, count));
    this.#flags = flags;
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

/** Parsing a long row holds everything else up; let it have its turn before the next. */
async function turn(row: Row | undefined): Promise<void> {
  if (row !== undefined && logBytes(row) > longFrom) await setImmediate();
}

function bitOf(flag: RowFlag): number {
  return 1 << rowFlags.indexOf(flag);
}
