import { diffArrays } from 'diff';
import { type DiffPart, diffWords } from '../../../src/text/word-diff.js';

/** A line of two texts: in both, changed, or in one of them. Numbers from 1. */
export interface DiffLine {
  readonly a: number | undefined;
  readonly b: number | undefined;
  readonly parts: readonly DiffPart[];
}

/** Lines to show: a line, or a fold of equal ones. */
type ShownLine =
  | { readonly kind: 'line'; readonly line: DiffLine }
  | { readonly kind: 'fold'; readonly lines: readonly DiffLine[] };

/** Milliseconds for comparing lines. */
const timeout = 500;

/** Share of the characters of a line that stay, from which it is a changed line and not another one. */
const alike = 0.4;

/** Compares two texts line by line, and changed lines word by word. */
export function diffLinesOf(before: string, after: string): readonly DiffLine[] {
  const [left, right] = [before.split('\n'), after.split('\n')];
  const found = diffArrays(left, right, { timeout }) ?? [
    { removed: true, added: false, value: left },
    { removed: false, added: true, value: right },
  ];
  const lines: DiffLine[] = [];
  const at = { a: 0, b: 0 };
  for (let n = 0; n < found.length; n += 1) {
    const { removed, added, value } = found[n] ?? { value: [] };
    if (!removed && !added) {
      for (const text of value) {
        at.a += 1;
        at.b += 1;
        lines.push({ ...at, parts: [{ kind: 'same', text }] });
      }
      continue;
    }
    const next = found[n + 1];
    const isChange = removed === true && next?.added === true;
    const ins = isChange ? next.value : added === true ? value : [];
    if (isChange) n += 1;
    lines.push(...changedLines(removed === true ? value : [], ins, at));
  }
  return lines;
}

/** Lines in place of others; advances the numbers. */
function changedLines(
  removed: readonly string[],
  added: readonly string[],
  at: { a: number; b: number },
): DiffLine[] {
  const lines: DiffLine[] = [];
  for (let n = 0; n < Math.max(removed.length, added.length); n += 1) {
    const [one, two] = [removed[n], added[n]];
    if (one !== undefined) at.a += 1;
    if (two !== undefined) at.b += 1;
    const parts = one !== undefined && two !== undefined ? alikeParts(one, two) : undefined;
    if (parts !== undefined) {
      lines.push({ ...at, parts });
      continue;
    }
    if (one !== undefined) {
      lines.push({ a: at.a, b: undefined, parts: [{ kind: 'removed', text: one }] });
    }
    if (two !== undefined) {
      lines.push({ a: undefined, b: at.b, parts: [{ kind: 'added', text: two }] });
    }
  }
  return lines;
}

function alikeParts(one: string, two: string): readonly DiffPart[] | undefined {
  const parts = diffWords(one, two);
  const same = parts?.reduce((sum, { kind, text }) => sum + (kind === 'same' ? text.length : 0), 0);
  return (same ?? 0) >= alike * Math.max(one.length, two.length) ? parts : undefined;
}

/** Folds equal lines, but for one beside each change. */
export function foldLines(lines: readonly DiffLine[]): readonly ShownLine[] {
  const isSame = (line: DiffLine | undefined) =>
    line?.parts.every(({ kind }) => kind === 'same') === true;
  const shown: ShownLine[] = [];
  let folded: DiffLine[] = [];
  const flush = () => {
    if (folded.length > 2) shown.push({ kind: 'fold', lines: folded });
    else shown.push(...folded.map((line) => ({ kind: 'line' as const, line })));
    folded = [];
  };
  for (const [n, line] of lines.entries()) {
    const isBeside = [lines[n - 1], lines[n + 1]].some((other) => other && !isSame(other));
    if (isSame(line) && !isBeside) {
      folded.push(line);
      continue;
    }
    flush();
    shown.push({ kind: 'line', line });
  }
  flush();
  return shown;
}
