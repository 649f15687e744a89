import { diffArrays } from 'diff';
import type { DiffPart } from '../../../../src/text/word-diff.js';
import { lineHunks, partOf, wordComparison } from './line-diff.js';

/** Milliseconds for pairing the lines of a change. */
const timeout = 100;

/** Compares two texts of JSON line by line: lines of the same key word by word, others as a whole. */
export function diffJson(base: string, other: string): readonly DiffPart[] {
  const words = wordComparison();
  return lineHunks(base, other).flatMap(({ removed, added, same }) => [
    ...linePairs(linesOf(removed), linesOf(added)).flatMap(([gone, fresh]) => [
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

function linesOf(text: string): readonly Line[] {
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
  const changes = diffArrays(before.map(keyOf), after.map(keyOf), { timeout }) ?? [];
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
