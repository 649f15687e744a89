import { diffArrays } from 'diff';

/** A stretch of text that both have, or only one of them. */
export interface DiffPart {
  readonly kind: 'same' | 'del' | 'ins';
  readonly text: string;
}

/** Longest text that is compared, in characters. */
const maxLength = 200_000;

/** Letters that are words by themselves, numbers with their point, words, white space, signs. */
const token =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{M}\p{N}_]+|\s+|./gsu;

/** Compares two texts by words; `undefined` when they are too long, or take longer than `timeout` milliseconds. */
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

/** Text of both, then what is in one of them only. */
interface Hunk {
  before: string;
  del: string;
  ins: string;
}

/** Changes with next to nothing between them are one change: nobody reads `I` or a comma as kept. */
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

/** White space both sides begin or end with is no part of a change. */
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

/** What follows the place where one of the texts was cut says nothing. */
export function withoutCutEnd(
  parts: readonly DiffPart[],
  cut: { readonly base: boolean; readonly other: boolean },
): readonly DiffPart[] {
  const last = parts.at(-1);
  if (last === undefined || parts.length < 2) return parts;
  const isIdle = (last.kind === 'del' && cut.other) || (last.kind === 'ins' && cut.base);
  return isIdle ? withoutCutEnd(parts.slice(0, -1), cut) : parts;
}

/** Characters of unchanged text that stay in sight beside a change, and of long deletions. */
const context = 36;
const longestDeletion = 96;

/** A diff for a few lines: long unchanged text is shortened to what lies beside a change, and long deletions, too. */
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
    // The end may run on: lines are clamped anyway. The beginning says what it is about.
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
