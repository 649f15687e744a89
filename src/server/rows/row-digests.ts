import { setImmediate, setTimeout } from 'node:timers/promises';
import type { ResultEntry } from '../../model/result.js';
import { toEntry } from '../../store/log/entry-reading.js';
import type { Row } from '../../store/replay/run-index.js';
import { FieldTexts } from './field-texts.js';
import {
  flagsOf,
  lightRowsOf,
  type RowFlag,
  type RowSource,
  rowFlags,
  sourceBatches,
  sourceEntries,
} from './light-row.js';
import { isLong } from './log-bytes.js';
import { rawAnswers } from './raw-answers.js';
import { RawNeedle } from './raw-needle.js';
import { foldCase, searchTexts } from './search-text.js';
import type { TextBudget, TextHolder } from './text-budget.js';
import { TextPool } from './text-pool.js';

/** Milliseconds of work before yielding to the event loop. */
const slice = 8;

/**
 * The flags and texts of the long values of a run, for searches. They are read from its log once, and again for changed
 * rows. Texts beyond the memory budget are read for each search, so results are always exact.
 */
export class RowDigests implements TextHolder {
  readonly fields = new FieldTexts();
  busy = false;
  usedAt = 0;
  readonly #known: (Row | undefined)[] = [];
  #flags = new Uint8Array(0);
  readonly #pool: TextPool;
  #queue: Promise<unknown> = Promise.resolve();
  /** The number of waiting searches; without any, reading ahead uses half of the time at most. */
  #waiting = 0;
  /** The read-ahead in progress. */
  #ahead: RowSource | undefined;
  #readingAhead: Promise<void> | undefined;
  /** Milliseconds for which reading ahead may let searches wait. */
  #owedMs = 0;

  constructor(budget: TextBudget) {
    this.#pool = new TextPool((bytes) => budget.makeRoom(bytes));
    budget.add(this);
  }

  get bytes(): number {
    return this.#pool.bytes;
  }

  clear(): void {
    this.#pool.clear();
    this.#known.length = 0;
  }

  /**
   * Reads missing digests in the background. Searches have priority, but each gives back the time for which it read the
   * log: otherwise searches that follow each other would all have to read it.
   */
  warm(source: RowSource): Promise<void> {
    this.#ahead = source;
    this.#readingAhead ??= this.#readAhead().finally(() => {
      this.#readingAhead = undefined;
      this.#ahead = undefined;
    });
    return this.#readingAhead;
  }

  async #readAhead(): Promise<void> {
    for (let source = this.#ahead; source !== undefined; ) {
      const now = source;
      const isDone = await this.#alone(() => {
        const end = performance.now() + this.#owedMs;
        this.#owedMs = 0;
        return this.#update(now, () => this.#waiting > 0 && performance.now() >= end);
      });
      source = isDone && now === this.#ahead ? undefined : this.#ahead;
    }
  }

  /** 1 for each row that contains a text, ignoring case. */
  async search(source: RowSource, wanted: string, signal?: AbortSignal): Promise<Uint8Array> {
    const marks = await this.#awaited(async () => {
      signal?.throwIfAborted();
      if (this.#known.length !== source.rows.length) this.#resize(source.rows.length);
      const unheld = this.#unheld(source);
      const found = new Uint8Array(source.rows.length);
      await this.#searchHeld(foldCase(wanted), found, signal);
      // The cached texts of changed rows are stale.
      for (const index of unheld) found[index] = 0;
      const begun = performance.now();
      await this.#searchLog(source, unheld, foldCase(wanted), found, signal);
      this.#owedMs += performance.now() - begun;
      return found;
    });
    // The next search finds more texts in memory. An error is reported by the search that needs the text.
    this.warm(source).catch(() => undefined);
    return marks;
  }

  /** A test for rows that have a flag. */
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
    for (const piece of this.#pool.pieces) {
      this.#pool.markFound(piece, bytes, marks);
      if (performance.now() - since < slice) continue;
      await setImmediate();
      signal?.throwIfAborted();
      since = performance.now();
    }
  }

  /** Rows whose current texts are not in memory. */
  #unheld({ rows }: RowSource): number[] {
    const indices: number[] = [];
    for (let index = 0; index < rows.length; index += 1) {
      if (rows[index] !== this.#known[index] || !this.#pool.has(index)) indices.push(index);
    }
    return indices;
  }

  /** Parses only rows whose unparsed lines are not conclusive. */
  async #searchLog(
    source: RowSource,
    indices: readonly number[],
    wanted: string,
    marks: Uint8Array,
    signal?: AbortSignal,
  ): Promise<void> {
    const needle = RawNeedle.of(wanted);
    let since = performance.now();
    for await (const batch of sourceBatches(source, indices)) {
      const answerOf = rawAnswers(batch, needle);
      for (const row of batch.rows) {
        const answer = answerOf(row);
        if (
          answer === 'yes' ||
          (answer === 'maybe' && isFound(toEntry(source.file, row, batch), wanted))
        ) {
          marks[row.index] = 1;
        }
        // Parsing a long row blocks the event loop, so yield before the next one.
        if (performance.now() - since < slice) continue;
        await setImmediate();
        signal?.throwIfAborted();
        since = performance.now();
      }
    }
  }

  /** False when it was stopped early. */
  async #update(source: RowSource, mustStop = () => false): Promise<boolean> {
    const { rows } = source;
    if (this.#known.length !== rows.length) this.#resize(rows.length);
    const changed: number[] = [];
    for (let index = 0; index < rows.length; index += 1) {
      if (rows[index] !== this.#known[index]) changed.push(index);
    }
    const short = changed.filter((index) => !isLongAt(source, index));
    if (!(await this.#readShort(source, short, mustStop)) || mustStop()) return false;
    await this.#readLong(
      source,
      changed.filter((index) => isLongAt(source, index)),
    );
    return true;
  }

  async #readShort(
    source: RowSource,
    indices: readonly number[],
    mustStop: () => boolean,
  ): Promise<boolean> {
    if (indices.length === 0) return true;
    let since = performance.now();
    for await (const { index, entry } of sourceEntries(source, indices)) {
      this.#pool.put(index, searchTexts(entry).map(foldCase));
      this.#note(source, index, flagsOf(entry.result));
      if (performance.now() - since < slice) continue;
      if (mustStop()) return false;
      await (this.#waiting > 0 ? setImmediate() : setTimeout(slice));
      since = performance.now();
    }
    return true;
  }

  /** Long rows: their texts are not kept in memory, and their flags need only a part of the lines. */
  async #readLong(source: RowSource, indices: readonly number[]): Promise<void> {
    for (const { index, has } of await lightRowsOf(source, indices)) {
      this.#pool.remove(index);
      this.#note(source, index, has);
    }
  }

  #note(source: RowSource, index: number, flags: readonly RowFlag[]): void {
    this.#flags[index] = flags.reduce((bits, flag) => bits | bitOf(flag), 0);
    this.#known[index] = source.rows[index];
  }

  #resize(count: number): void {
    this.#known.length = count;
    this.#pool.resize(count);
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

  /** Runs one task at a time, because a search must see the texts of exactly its rows. */
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

/** True when a result contains a text folded by `foldCase`. */
function isFound(entry: ResultEntry, wanted: string): boolean {
  return searchTexts(entry).some((text) => foldCase(text).includes(wanted));
}

function isLongAt({ rows, file }: RowSource, index: number): boolean {
  const row = rows[index];
  return row !== undefined && isLong(file, row);
}

function bitOf(flag: RowFlag): number {
  return 1 << rowFlags.indexOf(flag);
}
