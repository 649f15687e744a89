import { diffWordsWithSpace } from 'diff';

/** A stretch of a text, in UTF-16 units, without the end. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** What stands in one text and not in the other. */
export interface Differences {
  readonly before: readonly Range[];
  readonly after: readonly Range[];
}

/** Longest time to look for differences, in milliseconds. */
const patience = 400;

/** Longest text that is compared, in characters. */
export const mostCompared = 200_000;

/** Finds the words that differ; nothing when the texts are too long, or too different, to be compared. */
export function findDifferences(before: string, after: string): Differences | undefined {
  if (before.length > mostCompared || after.length > mostCompared) return undefined;
  const changes = diffWordsWithSpace(before, after, { timeout: patience });
  if (changes === undefined) return undefined;
  const found = { before: [] as Range[], after: [] as Range[] };
  const at = { before: 0, after: 0 };
  const pass = (side: 'before' | 'after', length: number, isMarked: boolean) => {
    if (isMarked) found[side].push({ start: at[side], end: at[side] + length });
    at[side] += length;
  };
  for (const { value, added, removed } of changes) {
    if (!added) pass('before', value.length, removed);
    if (!removed) pass('after', value.length, added);
  }
  return { before: tidied(found.before, before), after: tidied(found.after, after) };
}

/** Words that differ one after the other are one stretch, without the white space around them. */
function tidied(ranges: readonly Range[], text: string): readonly Range[] {
  return joined(ranges, text).flatMap(({ start, end }) => {
    const inner = text.slice(start, end);
    const from = start + inner.length - inner.trimStart().length;
    const to = start + inner.trimEnd().length;
    return from < to ? [{ start: from, end: to }] : [];
  });
}

/** White space, and the point in the middle of a number, do not end a stretch. */
function isBetween(text: string, start: number, end: number): boolean {
  const between = text.slice(start, end);
  if (/^[^\S\n]*$/.test(between)) return true;
  return /^[.,]$/.test(between) && /^\d[.,]\d$/.test(text.slice(start - 1, end + 1));
}

function joined(ranges: readonly Range[], text: string): readonly Range[] {
  const all: Range[] = [];
  for (const range of ranges) {
    const last = all.at(-1);
    if (last && isBetween(text, last.end, range.start)) {
      all.splice(-1, 1, { start: last.start, end: range.end });
    } else all.push(range);
  }
  return all;
}

/** A piece of a text, marked or not. */
export interface Piece {
  readonly text: string;
  readonly start: number;
  readonly isMarked: boolean;
}

/** Cuts a text that begins at `offset` where ranges begin and end. White space alone is not marked. */
export function cutAt(text: string, ranges: readonly Range[], offset = 0): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  const push = (end: number, isMarked: boolean) => {
    if (end <= at) return;
    const piece = text.slice(at, end);
    pieces.push({ text: piece, start: at, isMarked: isMarked && piece.trim() !== '' });
    at = end;
  };
  for (const { start, end } of ranges) {
    if (end <= offset + at) continue;
    if (start >= offset + text.length) break;
    push(Math.max(0, start - offset), false);
    push(Math.min(text.length, end - offset), true);
  }
  push(text.length, false);
  return pieces;
}
