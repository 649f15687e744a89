import { setImmediate } from 'node:timers/promises';
import type { Json, ResultEntry } from '../../model/result.js';
import type { Row } from '../../store/replay/run-index.js';
import {
  flagsOf,
  isLong,
  lightRowsOf,
  type RowFlag,
  type RowSource,
  rowFlags,
  sourceEntries,
} from './light-row.js';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON writes in another way
const escaped = /["\\\u0000-\u001f]/;

/** Milliseconds of work before other requests get a turn. */
const slice = 8;
/** Characters of the longest text that is kept in memory. */
const longestHeld = 64 * 1024;
/** Stands between the texts of a row, so that no match spans two of them. */
const separator = '\0';

/** The texts in memory of all runs of a server. The run that was searched longest ago gives way first. */
export class TextMemory {
  readonly #limit: number;
  readonly #holders = new Set<RowTexts>();

  /** `limit`: characters. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Notes that these texts are searched now. */
  used(texts: RowTexts): void {
    this.#holders.delete(texts);
    this.#holders.add(texts);
  }

  /** True when so many more characters of the texts used last fit. */
  hasRoom(characters: number): boolean {
    let held = [...this.#holders].reduce((sum, texts) => sum + texts.size, characters);
    for (const oldest of [...this.#holders].slice(0, -1)) {
      if (held <= this.#limit) break;
      held -= oldest.size;
      oldest.clear();
      this.#holders.delete(oldest);
    }
    return held <= this.#limit;
  }
}

/**
 * The flags of the rows of a run, and their texts for searches. They are read from its log once, and again for changed
 * rows. Long texts, and those that do not fit in memory, are read for each search.
 */
export class RowTexts {
  /** Characters in memory. */
  size = 0;
  readonly #memory: TextMemory;
  /** The rows that flags and texts are of. */
  readonly #known: (Row | undefined)[] = [];
  readonly #flags: number[] = [];
  /** Folded; absent for what is not in memory. */
  #texts: (string | undefined)[] = [];
  #queue: Promise<unknown> = Promise.resolve();

  constructor(memory: TextMemory) {
    this.#memory = memory;
  }

  /** Frees the memory of texts. */
  clear(): void {
    this.#texts = [];
    this.size = 0;
  }

  /** The rows that contain a text, ignoring case. */
  search(source: RowSource, text: string, signal?: AbortSignal): Promise<ReadonlySet<number>> {
    const wanted = foldCase(text);
    return this.#alone(async () => {
      signal?.throwIfAborted();
      this.#memory.used(this);
      const found = new Set<number>();
      const unread: number[] = [];
      const mayBeHeld = !wanted.includes(separator);
      for (const [index, row] of source.rows.entries()) {
        const isHeld = mayBeHeld && this.#known[index] === row;
        const held = isHeld ? this.#texts[index] : undefined;
        if (held === undefined) unread.push(index);
        else if (held.includes(wanted)) found.add(index);
      }
      for await (const { index, texts } of this.#read(source, unread, signal)) {
        if (texts.some((one) => one.includes(wanted))) found.add(index);
      }
      return found;
    });
  }

  /** A test for rows that have a flag. */
  flags(source: RowSource): Promise<(index: number, flag: RowFlag) => boolean> {
    return this.#alone(async () => {
      const { rows, file } = source;
      const changed = [...rows.keys()].filter((index) => rows[index] !== this.#known[index]);
      const isLongAt = (index: number) => isLong(file, rows[index] as Row);
      const short = changed.filter((index) => !isLongAt(index));
      for await (const _ of this.#read(source, short));
      // Their flags need only a part of the lines.
      const long = await lightRowsOf(source, changed.filter(isLongAt));
      for (const { index, has } of long) this.#note(source, index, has, undefined);
      const flags = this.#flags.slice();
      return (index, flag) => ((flags[index] ?? 0) & bitOf(flag)) !== 0;
    });
  }

  /** Reads rows from the log, with turns for other requests. */
  async *#read(source: RowSource, indices: readonly number[], signal?: AbortSignal) {
    let since = performance.now();
    for await (const { index, entry } of sourceEntries(source, indices)) {
      const texts = searchTexts(entry).map(foldCase);
      this.#note(source, index, flagsOf(entry.result), texts.join(separator));
      yield { index, texts };
      if (performance.now() - since < slice) continue;
      await setImmediate();
      signal?.throwIfAborted();
      since = performance.now();
    }
  }

  #note(source: RowSource, index: number, flags: readonly RowFlag[], text: string | undefined) {
    this.#known[index] = source.rows[index];
    this.#flags[index] = flags.reduce((bits, flag) => bits | bitOf(flag), 0);
    this.size -= this.#texts[index]?.length ?? 0;
    const fits =
      text !== undefined && text.length <= longestHeld && this.#memory.hasRoom(text.length);
    this.#texts[index] = fits ? text : undefined;
    this.size += fits ? text.length : 0;
  }

  /** Runs one task at a time, because a search must see the texts of exactly its rows. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return done;
  }
}

function bitOf(flag: RowFlag): number {
  return 1 << rowFlags.indexOf(flag);
}

/** Folds case: texts that differ only in case become equal. */
function foldCase(text: string): string {
  const lower = text.toLowerCase();
  // The only letter whose lower case depends on the next letter.
  return lower.includes('ς') ? lower.replaceAll('ς', 'σ') : lower;
}

/** The searched texts of a result, not case-folded, without empty ones. */
function searchTexts({ function: name, result }: ResultEntry): string[] {
  const texts = [name];
  for (const value of [result.input, result.output, result.reference]) addTexts(texts, value);
  if (result.error !== null) texts.push(result.error);
  texts.push(result.annotation);
  return texts.filter((text) => text !== '');
}

/** A structure is searched as compact JSON; strings that JSON escapes are also searched unescaped. */
function addTexts(texts: string[], value: Json): void {
  if (value === null) return;
  if (typeof value === 'string') {
    texts.push(value);
    return;
  }
  const json = compact(value);
  if (json === undefined) {
    addLeaves(texts, value, () => true);
    return;
  }
  texts.push(json);
  if (json.includes('\\')) addLeaves(texts, value, (text) => escaped.test(text));
}

/** Compact JSON; `undefined` if the value is nested too deep. */
function compact(value: Json): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** The keys and single values that satisfy a condition, unescaped. */
function addLeaves(texts: string[], value: Json, isWanted: (text: string) => boolean): void {
  const add = (text: string) => {
    if (isWanted(text)) texts.push(text);
  };
  // Uses its own stack, because imported values may be nested deeper than the call stack allows.
  const open: Json[] = [value];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (typeof item !== 'object' || item === null) {
      add(String(item));
      continue;
    }
    for (const [key, inner] of Object.entries(item)) {
      if (!Array.isArray(item)) add(key);
      open.push(inner);
    }
  }
}
