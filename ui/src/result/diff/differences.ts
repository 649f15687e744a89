import { diffArrays } from 'diff';
import { type DiffPart, diffWords } from '../../../../src/text/word-diff.js';

/** A range of a text in UTF-16 units; `end` is exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
  /** Number of the difference, from 0; the same in both texts. */
  readonly change: number;
}

/** The ranges of each text that are not in the other. */
export interface TextDifferences {
  readonly before: readonly Range[];
  readonly after: readonly Range[];
  /** How many there are. */
  readonly count: number;
}

/** Maximum time to compare all words of two texts, in milliseconds. */
const timeout = 250;

/** Longer texts are compared by lines first, in characters of both. */
const longest = 60_000;

/** Finds the words that differ; in JSON, and in long or very different texts, the lines, and then their words. */
export function findDifferences(before: string, after: string, isJson = false): TextDifferences {
  const found = { before: [] as Range[], after: [] as Range[] };
  const at = { before: 0, after: 0 };
  let change = -1;
  let isInChange = false;
  for (const { kind, text } of isJson ? diffJson(before, after) : diffText(before, after)) {
    if (kind === 'same') isInChange = false;
    else if (text.trim() !== '' && !isInChange) {
      isInChange = true;
      change += 1;
    }
    // White space around changed words is not marked.
    const trimmed = text.trim();
    const from = text.length - text.trimStart().length;
    for (const side of ['before', 'after'] as const) {
      if (kind === (side === 'before' ? 'added' : 'removed')) continue;
      const start = at[side] + from;
      if (kind !== 'same' && trimmed !== '') {
        found[side].push({ start, end: start + trimmed.length, change });
      }
      at[side] += text.length;
    }
  }
  return { ...found, count: change + 1 };
}

function diffText(before: string, after: string): readonly DiffPart[] {
  const isShort = before.length + after.length <= longest;
  const words = isShort ? diffWords(before, after, { timeout }) : undefined;
  return words ?? diffLines(before, after);
}

/** A piece of a text, marked or not. */
export interface TextPiece {
  readonly text: string;
  readonly start: number;
  readonly isMarked: boolean;
  /** Number of the difference that it is in. */
  readonly change?: number;
}

/** Cuts a text that begins at `offset` where ranges begin and end. White space alone is not marked. */
export function cutAt(text: string, ranges: readonly Range[], offset = 0): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let at = 0;
  const push = (end: number, change?: number) => {
    if (end <= at) return;
    const piece = text.slice(at, end);
    const isMarked = change !== undefined && piece.trim() !== '';
    pieces.push({ text: piece, start: at, isMarked, ...(isMarked && { change }) });
    at = end;
  };
  for (const { start, end, change } of ranges) {
    if (end <= offset + at) continue;
    if (start >= offset + text.length) break;
    push(Math.max(0, start - offset));
    push(Math.min(text.length, end - offset), change);
  }
  push(text.length);
  return pieces;
}

/** Milliseconds for comparing lines, and for the words of all changed ones. */
const [lineTime, wordTime] = [250, 250];

/** Longer changes are not compared word by word, in characters. */
const longestChange = 20_000;

/** Lines are sentences where they are longer than this on average, in characters. */
const longLine = 300;

/** Compares two texts line by line, and changed lines word by word, as far as the time allows. Long texts, and very different ones, have an answer too. */
function diffLines(base: string, other: string): readonly DiffPart[] {
  const words = wordComparison();
  return lineHunks(base, other).flatMap(({ removed, added, same }) => [
    ...words(removed, added),
    ...partOf('same', same),
  ]);
}

/** Compares changed stretches word by word, as long as there is time for all of them; then each is one change. */
function wordComparison(): (removed: string, added: string) => readonly DiffPart[] {
  const end = performance.now() + wordTime;
  return (removed, added) => {
    const isShort = removed.length + added.length < longestChange;
    const left = end - performance.now();
    const words =
      removed !== '' && added !== '' && isShort && left > 0
        ? diffWords(removed, added, { timeout: left })
        : undefined;
    return words ?? [...partOf('removed', removed), ...partOf('added', added)];
  };
}

/** A part of a diff, unless it is empty. */
function partOf(kind: DiffPart['kind'], text: string): readonly DiffPart[] {
  return text === '' ? [] : [{ kind, text }];
}

interface Change {
  readonly added: boolean;
  readonly removed: boolean;
  readonly value: readonly string[];
}

/** Lines that differ, then lines that do not. */
interface Hunk {
  removed: string;
  added: string;
  same: string;
}

/** The lines that differ and those that do not, in turns. */
function lineHunks(base: string, other: string): readonly Hunk[] {
  const before = linesOf(base);
  const after = linesOf(other);
  const changes = diffArrays(before, after, { timeout: lineTime }) ?? roughChanges(before, after);
  const hunks: Hunk[] = [];
  for (const { added, removed, value } of changes) {
    const text = value.join('');
    const last = hunks.at(-1);
    if (!added && !removed) {
      if (last === undefined) hunks.push({ removed: '', added: '', same: text });
      else last.same += text;
    } else if (last === undefined || last.same !== '') {
      hunks.push({ removed: removed ? text : '', added: added ? text : '', same: '' });
    } else if (removed) last.removed += text;
    else last.added += text;
  }
  return hunks;
}

function linesOf(text: string): string[] {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  if (text.length / Math.max(1, lines.length) < longLine) return lines;
  return lines.flatMap((line) => line.match(/.+?(?:[.!?;](?:\s+|$)|$)|\n/gs) ?? [line]);
}

/** For texts with nothing else in common: what both begin and end with stays, the rest is another. */
function roughChanges(before: readonly string[], after: readonly string[]): Change[] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return [
    { added: false, removed: false, value: before.slice(0, start) },
    { added: false, removed: true, value: before.slice(start, before.length - end) },
    { added: true, removed: false, value: after.slice(start, after.length - end) },
    { added: false, removed: false, value: before.slice(before.length - end) },
  ];
}

/** Milliseconds for pairing the lines of a change. */
const pairTime = 100;

/** Compares two texts of JSON line by line: lines of the same key word by word, others as a whole. */
function diffJson(base: string, other: string): readonly DiffPart[] {
  const words = wordComparison();
  return lineHunks(base, other).flatMap(({ removed, added, same }) => [
    ...linePairs(jsonLines(removed), jsonLines(added)).flatMap(([gone, fresh]) => [
      ...words(gone.value, fresh.value),
      ...(gone.end === fresh.end
        ? partOf('same', gone.end)
        : [...partOf('removed', gone.end), ...partOf('added', fresh.end)]),
    ]),
    ...partOf('same', same),
  ]);
}

/** A line of JSON. */
interface Line {
  readonly value: string;
  /** What ends it. A comma there says nothing of the value, so it counts as white space. */
  readonly end: string;
}

const nothing: Line = { value: '', end: '' };

function jsonLines(text: string): readonly Line[] {
  return (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => {
    const [end = ''] = line.match(/,?\n?$/) ?? [];
    return { value: line.slice(0, line.length - end.length), end: end.replace(',', ' ') };
  });
}

/** Pairs changed lines: by key or value, and those between in order if there are equally many. */
function linePairs(
  before: readonly Line[],
  after: readonly Line[],
): readonly (readonly [Line, Line])[] {
  const pairs: (readonly [Line, Line])[] = [];
  const from = { before: 0, after: 0 };
  const pairUntil = (toBefore: number, toAfter: number) => {
    const gone = before.slice(from.before, toBefore);
    const fresh = after.slice(from.after, toAfter);
    if (gone.length === fresh.length) {
      pairs.push(...gone.map((line, n) => [line, fresh[n] ?? nothing] as const));
    } else {
      pairs.push(...gone.map((line) => [line, nothing] as const));
      pairs.push(...fresh.map((line) => [nothing, line] as const));
    }
    Object.assign(from, { before: toBefore, after: toAfter });
  };
  const at = { before: 0, after: 0 };
  const changes = diffArrays(before.map(keyOf), after.map(keyOf), { timeout: pairTime }) ?? [];
  for (const { added, removed, count } of changes) {
    if (!added && !removed) pairUntil(at.before, at.after);
    if (!added) at.before += count;
    if (!removed) at.after += count;
    if (!added && !removed) pairUntil(at.before, at.after);
  }
  pairUntil(before.length, after.length);
  return pairs;
}

/** The key of a line with its indentation; of an item of a list, the whole line. */
function keyOf({ value }: Line): string {
  return value.match(/^\s*"(?:[^"\\]|\\.)*": /)?.[0] ?? value;
}
