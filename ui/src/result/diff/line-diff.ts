import { diffArrays } from 'diff';
import { type DiffPart, diffWords } from '../../../../src/text/word-diff.js';

/** Milliseconds for comparing lines, and for the words of all changed ones. */
const [lineTime, wordTime] = [250, 250];

/** Longer changes are not compared word by word, in characters. */
const longestChange = 20_000;

/** Lines are sentences where they are longer than this on average, in characters. */
const longLine = 300;

/** Compares two texts line by line, and changed lines word by word, as far as the time allows. Long texts, and very different ones, have an answer too. */
export function diffLines(base: string, other: string): readonly DiffPart[] {
  const words = wordComparison();
  return lineHunks(base, other).flatMap(({ removed, added, same }) => [
    ...words(removed, added),
    ...partOf('same', same),
  ]);
}

/** Compares changed stretches word by word, as long as there is time for all of them; then each is one change. */
export function wordComparison(): (removed: string, added: string) => readonly DiffPart[] {
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
export function partOf(kind: DiffPart['kind'], text: string): readonly DiffPart[] {
  return text === '' ? [] : [{ kind, text }];
}

interface Change {
  readonly added: boolean;
  readonly removed: boolean;
  readonly value: readonly string[];
}

/** Lines that differ, then lines that do not. */
export interface Hunk {
  removed: string;
  added: string;
  same: string;
}

/** The lines that differ and those that do not, in turns. */
export function lineHunks(base: string, other: string): readonly Hunk[] {
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
