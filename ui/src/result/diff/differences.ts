import { diffWords } from '../../../../src/text/word-diff.js';

/** A range of a text in UTF-16 units; `end` is exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The ranges of each text that are not in the other. */
export interface Differences {
  readonly before: readonly Range[];
  readonly after: readonly Range[];
}

/** Maximum time to compare two texts, in milliseconds. */
const timeout = 400;

/** Finds the words that differ; `undefined` if the texts are too long or too different. */
export function findDifferences(before: string, after: string): Differences | undefined {
  const parts = diffWords(before, after, { timeout });
  if (parts === undefined) return undefined;
  const found = { before: [] as Range[], after: [] as Range[] };
  const at = { before: 0, after: 0 };
  for (const { kind, text } of parts) {
    // White space around changed words is not marked.
    const trimmed = text.trim();
    const from = text.length - text.trimStart().length;
    for (const side of ['before', 'after'] as const) {
      if (kind === (side === 'before' ? 'added' : 'removed')) continue;
      const start = at[side] + from;
      if (kind !== 'same' && trimmed !== '') {
        found[side].push({ start, end: start + trimmed.length });
      }
      at[side] += text.length;
    }
  }
  return found;
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
