import type { StoredCalls } from '../../model/calls/stored-calls.js';
import type { ResultEntry } from '../../model/result.js';
import { type CallFact, modelsOf, toolsOf } from '../../model/selection/condition.js';
import { type TextPlace, textPlaces, textsOf } from '../../model/selection/result-texts.js';
import { foldText, parseSearch } from '../../model/selection/search-line.js';
import { readCalls } from '../../store/log/entry-reading.js';
import type { Row } from '../../store/replay/run-index.js';
import {
  flagsOf,
  forEachEntry,
  isLong,
  lightRowsOf,
  type RowFlag,
  type RowSource,
  rowFlags,
} from './light-row.js';

/** Bytes of the longest texts of a row that are kept in memory. */
const longestHeld = 1024 * 1024;

/** The texts in memory of all runs of a server. The run that was searched longest ago gives way first. */
export class TextMemory {
  readonly #limit: number;
  readonly #holders = new Set<RowTexts>();

  /** `limit`: bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Notes that these texts are searched now. */
  used(texts: RowTexts): void {
    this.#holders.delete(texts);
    this.#holders.add(texts);
  }

  /** True when so many more bytes of the texts used last fit. */
  hasRoom(bytes: number): boolean {
    let held = [...this.#holders].reduce((sum, texts) => sum + texts.size, bytes);
    for (const oldest of [...this.#holders].slice(0, -1)) {
      if (held <= this.#limit) break;
      held -= oldest.size;
      oldest.clear();
      this.#holders.delete(oldest);
    }
    return held <= this.#limit;
  }
}

/** What a search found in each row: {@link placesOf} reads it; 0 where it found nothing. */
export type Found = Uint32Array;

/** The tools and the models that a row called. */
type CallFacts = Readonly<Record<CallFact, readonly string[]>>;

/**
 * What searches and filters need of the results of a run: texts, flags, and what was called. It is read from the log once,
 * and again for changed rows. Texts that do not fit in memory are read for each search.
 */
export class RowTexts {
  /** Bytes in memory. */
  size = 0;
  readonly #memory: TextMemory;
  /** The rows that flags are of, and the rows that texts and calls are of. */
  readonly #flagged: (Row | undefined)[] = [];
  readonly #read: (Row | undefined)[] = [];
  readonly #flags: number[] = [];
  readonly #called: CallFacts[] = [];
  /** Folded, each with the mark of its place before it; absent for what is not in memory. */
  #texts: (string | undefined)[] = [];
  /** The same of system prompts, of which many rows have the same. */
  #prompts: (string | undefined)[] = [];
  #pool = new Map<string, string>();
  readonly #callSets = new Map<string, CallFacts>();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(memory: TextMemory) {
    this.#memory = memory;
  }

  /** Frees the memory of texts. */
  clear(): void {
    this.#texts = [];
    this.#prompts = [];
    this.#pool = new Map();
    this.size = 0;
  }

  /** Looks for the words of a search in all rows. */
  search(source: RowSource, text: string, signal?: AbortSignal): Promise<Found> {
    return this.#alone(async () => {
      signal?.throwIfAborted();
      this.#memory.used(this);
      const found = new Uint32Array(source.rows.length);
      const lookIn = lookFor(text);
      const unread: number[] = [];
      for (const [index, row] of source.rows.entries()) {
        const own = this.#read[index] === row ? this.#texts[index] : undefined;
        if (own === undefined) unread.push(index);
        else found[index] = lookIn(own, this.#prompts[index] ?? '');
      }
      const look = (index: number, { own, prompt }: MarkedTexts) => {
        found[index] = lookIn(own, prompt);
      };
      await this.#readRows(source, unread, look, { signal, pieces: piecesOf(text) });
      return found;
    });
  }

  /** The tools and models that rows called. */
  called(source: RowSource, signal?: AbortSignal): Promise<(index: number) => CallFacts> {
    return this.#alone(async () => {
      signal?.throwIfAborted();
      this.#memory.used(this);
      const { rows } = source;
      const changed = [...rows.keys()].filter((index) => rows[index] !== this.#read[index]);
      await this.#readRows(source, changed, () => undefined, { signal });
      const called = this.#called.slice();
      return (index) => called[index] ?? noCalls;
    });
  }

  /** A test for rows that have a flag. */
  flags(source: RowSource): Promise<(index: number, flag: RowFlag) => boolean> {
    return this.#alone(async () => {
      const { rows, file } = source;
      const changed = [...rows.keys()].filter((index) => rows[index] !== this.#flagged[index]);
      const isLongAt = (index: number) => isLong(file, rows[index] as Row);
      const short = changed.filter((index) => !isLongAt(index));
      await forEachEntry(source, short, (index, { result }) =>
        this.#noteFlags(source, index, flagsOf(result)),
      );
      // Their flags need only a part of the lines.
      const long = await lightRowsOf(source, changed.filter(isLongAt));
      for (const { index, has } of long) this.#noteFlags(source, index, has);
      const flags = this.#flags.slice();
      return (index, flag) => ((flags[index] ?? 0) & bitOf(flag)) !== 0;
    });
  }

  /** Reads rows from the log, and calls `act` with their texts. */
  #readRows(
    source: RowSource,
    indices: readonly number[],
    act: (index: number, texts: MarkedTexts) => void,
    options: Parameters<typeof forEachEntry>[3],
  ): Promise<void> {
    const read = (index: number, entry: ResultEntry) => {
      const calls = callsIn(source, index);
      const texts = markedTexts(entry, calls);
      this.#noteFlags(source, index, flagsOf(entry.result));
      this.#noteCalls(index, { ...entry.result, ...calls });
      this.#noteTexts(source, index, texts);
      act(index, texts);
    };
    return forEachEntry(source, indices, read, options);
  }

  #noteFlags(source: RowSource, index: number, flags: readonly RowFlag[]): void {
    this.#flagged[index] = source.rows[index];
    this.#flags[index] = flags.reduce((bits, flag) => bits | bitOf(flag), 0);
  }

  #noteCalls(index: number, of: Parameters<typeof toolsOf>[0]): void {
    const facts = { tool: toolsOf(of), model: modelsOf(of) };
    if (facts.tool.length + facts.model.length === 0) {
      this.#called[index] = noCalls;
      return;
    }
    const name = JSON.stringify(facts);
    const shared = this.#callSets.get(name) ?? facts;
    this.#callSets.set(name, shared);
    this.#called[index] = shared;
  }

  #noteTexts(source: RowSource, index: number, { own, prompt }: MarkedTexts): void {
    this.#read[index] = source.rows[index];
    this.size -= bytesOf(this.#texts[index] ?? '');
    const shared = this.#pool.get(prompt);
    const bytes = bytesOf(own) + (shared === undefined ? bytesOf(prompt) : 0);
    const fits = bytes <= longestHeld && this.#memory.hasRoom(bytes);
    this.#texts[index] = fits ? own : undefined;
    this.#prompts[index] = fits ? (shared ?? prompt) : undefined;
    if (!fits) return;
    this.#pool.set(prompt, shared ?? prompt);
    this.size += bytes;
  }

  /** Runs one task at a time, because a search must see the texts of exactly its rows. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return done;
  }
}

/** What occurs in the log as it does in the texts of a result, in every row that matches a search. */
function piecesOf(text: string): string[] {
  const pieces = parseSearch(text).words.flatMap((word) => word.match(/[a-z]{2,}/g) ?? []);
  // A call without a name is one of `tool`.
  return pieces.filter((piece) => !'tool'.includes(piece));
}

const noCalls: CallFacts = { tool: [], model: [] };

/** The calls of a row in their stored form; `undefined` for none. */
export function callsIn({ rows, file }: RowSource, index: number): StoredCalls | undefined {
  const row = rows[index];
  if (row === undefined || file.events.callsOf(row.events).length === 0) return undefined;
  return readCalls(file, { index, row });
}

function bitOf(flag: RowFlag): number {
  return 1 << rowFlags.indexOf(flag);
}

/** The bytes that a text takes: one for each character only if all of them are Latin. */
function bytesOf(text: string): number {
  return /[^\0-\xff]/.test(text) ? 2 * text.length : text.length;
}

interface MarkedTexts {
  readonly own: string;
  readonly prompt: string;
}

// Control characters that folding takes out of texts, so that each begins a text, and no match spans two.
const marks = [0, 1, 2, 3, 4, 5, 6, 7, 8, 14, 15, 16, 17, 18, 19, 20];

function isMark(code: number): boolean {
  return code < 9 || (code > 13 && code < 21);
}

const markOf = new Map<TextPlace, string>(
  textPlaces.map((place, at) => [place, String.fromCharCode(marks[at] ?? 0)]),
);

function markedTexts(entry: ResultEntry, calls: StoredCalls | undefined): MarkedTexts {
  const own: string[] = [];
  const prompt: string[] = [];
  for (const { in: place, text } of textsOf(entry, calls)) {
    (place === 'prompt' ? prompt : own).push(`${markOf.get(place)}${foldText(text)}`);
  }
  return { own: own.join(''), prompt: prompt.join('') };
}

/** Set for every row that matches, also where words were only left out. */
const matchBit = 1 << textPlaces.length;

/** The places of a row in which a search found a word. */
export function placesOf(found: number): TextPlace[] {
  return textPlaces.filter((_, at) => (found & (1 << at)) !== 0);
}

/** A test of the texts of a row for the words of a search: what it found, 0 for a row that does not match. */
function lookFor(text: string): (own: string, prompt: string) => number {
  const { words, without } = parseSearch(text);
  // Each prompt is that of many rows.
  const inPrompts = new Map<string, ReadonlySet<string>>();
  const foundIn = (prompt: string) => {
    const known = inPrompts.get(prompt);
    if (known !== undefined) return known;
    const found = new Set([...words, ...without].filter((word) => prompt.includes(word)));
    inPrompts.set(prompt, found);
    return found;
  };
  return (own, prompt) => {
    const has = (word: string) => own.includes(word) || foundIn(prompt).has(word);
    if (!words.every(has) || without.some(has)) return 0;
    const inPrompt = words.some((word) => foundIn(prompt).has(word));
    return matchBit | placeBits(own, words) | (inPrompt ? promptBit : 0);
  };
}

const promptBit = 1 << textPlaces.indexOf('prompt');

/** The bits of the places in which one of the words stands. */
function placeBits(own: string, words: readonly string[]): number {
  const starts: number[] = [];
  for (let at = 0; at < own.length; at += 1) if (isMark(own.charCodeAt(at))) starts.push(at);
  let bits = 0;
  for (const word of words) {
    let at = own.indexOf(word);
    for (let text = 0; at !== -1; at = own.indexOf(word, starts[text] ?? own.length)) {
      while ((starts[text] ?? own.length) <= at) text += 1;
      bits |= 1 << marks.indexOf(own.charCodeAt(starts[text - 1] ?? 0));
      if (text === starts.length) break;
    }
  }
  return bits;
}
