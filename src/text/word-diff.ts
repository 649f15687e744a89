import { diffArrays } from 'diff';

/** A part of a diff: in both texts, or in one of them. */
export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Maximum length of compared texts, in characters. */
const maxLength = 200_000;

/** Splits text into letters of scripts without spaces, numbers, words, white space and signs. */
const token =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{M}\p{N}_]+|\s+|./gsu;

/** Gives up after `timeout` milliseconds, or after `maxEditLength` changed words. */
type Limit = { readonly timeout: number } | { readonly maxEditLength: number };

/** Compares two texts word by word; `undefined` if they are too long, or if the limit is reached. */
export function diffWords(
  base: string,
  other: string,
  limit: Limit = { timeout: 250 },
): readonly DiffPart[] | undefined {
  if (base.length > maxLength || other.length > maxLength) return undefined;
  const changes = diffArrays(base.match(token) ?? [], other.match(token) ?? [], limit);
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
    add('removed', del.slice(start.length, del.length - end.length));
    add('added', ins.slice(start.length, ins.length - end.length));
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
