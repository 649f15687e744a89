import { diffArrays } from 'diff';

/** A part of a diff: in both texts, or in one of them. */
export interface DiffPart {
  readonly kind: 'same' | 'del' | 'ins';
  readonly text: string;
}

/** Maximum length of compared texts, in characters. */
const maxLength = 200_000;

/** Splits text into letters of scripts without spaces, numbers, words, white space and signs. */
const token =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{M}\p{N}_]+|\s+|./gsu;

/**
 * Compares two texts word by word; `undefined` if they are too long, or if it takes longer than `timeout`
 * milliseconds.
 */
export function diffWords(
  base: string,
  other: string,
  timeout = 250,
): readonly DiffPart[] | undefined {
  if (base.length > maxLength || other.length > maxLength) return undefined;
  const changes = diffArrays(base.match(token) ?? [], other.match(token) ?? [], { timeout });
  if (changes === undefined) return undefined;
  const hunks: Hunk[] = [];
  for (const { added, removed, value } of changes) {
    const text = value.join('');
    const last = hunks.at(-1);
    if (!added && !removed) hunks.push({ before: text, del: '', ins: '' });
    else if (last === undefined) {
      hunks.push({ before: '', del: removed ? text : '', ins: added ? text : '' });
    } else if (removed) last.del += text;
    else last.ins += text;
  }
  return partsOf(mergeHunks(hunks));
}

/** Text that both have, then text that only one has. */
interface Hunk {
  before: string;
  del: string;
  ins: string;
}

/** Merges changes with hardly anything between them into one. */
function mergeHunks(hunks: readonly Hunk[]): Hunk[] {
  const merged: Hunk[] = [];
  for (const hunk of hunks) {
    const last = merged.at(-1);
    if (last !== undefined && isChange(last) && isChange(hunk) && isCrumb(hunk, last)) {
      last.del += hunk.before + hunk.del;
      last.ins += hunk.before + hunk.ins;
    } else merged.push({ ...hunk });
  }
  return merged;
}

const isChange = ({ del, ins }: Hunk) => del !== '' || ins !== '';

function isCrumb({ before, del, ins }: Hunk, last: Hunk): boolean {
  const crumb = before.trim();
  if (!/[\p{L}\p{N}]/u.test(crumb)) return before.length <= 6 && !before.includes('\n');
  const around = last.del.length + last.ins.length + del.length + ins.length;
  return crumb.length <= 4 && around > 6 * crumb.length;
}

/** Moves white space at the ends of a change out of it. */
function partsOf(hunks: readonly Hunk[]): readonly DiffPart[] {
  const parts: DiffPart[] = [];
  const add = (kind: DiffPart['kind'], text: string) => {
    const last = parts.at(-1);
    if (text === '') return;
    if (last?.kind === kind) parts.splice(-1, 1, { kind, text: last.text + text });
    else parts.push({ kind, text });
  };
  for (const { before, del, ins } of hunks) {
    const both = del !== '' && ins !== '';
    const start = both ? sharedStart(del, ins) : '';
    const end = both ? sharedEnd(del.slice(start.length), ins.slice(start.length)) : '';
    add('same', before + start);
    add('del', del.slice(start.length, del.length - end.length));
    add('ins', ins.slice(start.length, ins.length - end.length));
    add('same', end);
  }
  return parts;
}

function sharedStart(one: string, two: string): string {
  const space = /^\s*/.exec(one)?.[0] ?? '';
  return two.startsWith(space) ? space : '';
}

function sharedEnd(one: string, two: string): string {
  const space = /\s*$/.exec(one)?.[0] ?? '';
  return two.endsWith(space) ? space : '';
}

/** Ignores differences after the point where one of the texts was truncated. */
export function withoutCutEnd(
  parts: readonly DiffPart[],
  cut: { readonly base: boolean; readonly other: boolean },
): readonly DiffPart[] {
  const last = parts.at(-1);
  if (last === undefined || parts.length < 2) return parts;
  const isIdle = (last.kind === 'del' && cut.other) || (last.kind === 'ins' && cut.base);
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
    if (kind === 'ins') return part;
    if (kind === 'del') {
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
