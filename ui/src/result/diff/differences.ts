import { type DiffPart, diffWords } from '../../../../src/text/word-diff.js';
import { diffJson } from './json-diff.js';
import { diffLines } from './line-diff.js';

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
