import type { DiffPart } from '../../../../src/text/word-diff.js';

/** Ignores differences after the point where one of the texts was truncated. */
export function withoutCutEnd(
  parts: readonly DiffPart[],
  cut: { readonly base: boolean; readonly other: boolean },
): readonly DiffPart[] {
  const last = parts.at(-1);
  if (last === undefined || parts.length < 2) return parts;
  const isIdle = (last.kind === 'removed' && cut.other) || (last.kind === 'added' && cut.base);
  return isIdle ? withoutCutEnd(parts.slice(0, -1), cut) : parts;
}

/** Characters of unchanged text shown beside a change, and at the ends of long deletions. */
const context = 36;
const longestDeletion = 96;

/**
 * Shortens a diff to a few lines: only the context of changes remains of long unchanged text, and long deletions
 * are cut.
 */
export function shorten(parts: readonly DiffPart[]): readonly DiffPart[] {
  return parts.map((part, n) => {
    const { kind, text } = part;
    if (kind === 'added') return part;
    if (kind === 'removed') {
      if (text.length <= longestDeletion) return part;
      return { kind, text: `${headOf(text, 60)} … ${tailOf(text, 24)}` };
    }
    const head = n === 0 ? '' : headOf(text, context);
    const tail = n === parts.length - 1 ? '' : tailOf(text, context);
    // The end may be long, because lines are clamped. The beginning is kept for orientation.
    if (n === parts.length - 1 || text.length <= 3 * context) return part;
    return { kind, text: `${head}${head === '' ? '… ' : ' … '}${tail}` };
  });
}

function headOf(text: string, length: number): string {
  const end = text.lastIndexOf(' ', length);
  return text.slice(0, end > length / 2 ? end : length);
}

function tailOf(text: string, length: number): string {
  const from = text.length - length;
  const start = text.indexOf(' ', from) + 1;
  return text.slice(start > 0 && start < from + length / 2 ? start : from);
}
