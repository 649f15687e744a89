import { type DiffPart, diffWords } from './word-diff.js';

const context = 40;
const mostCompared = 4000;
const mostEdits = 400;
const gap = ' … ';

/**
 * Compares two texts word by word, and shortens the result around the differences to about `most` characters (at
 * most 4,000): `…` marks omissions. Compares at most 4,000 characters of long texts, from the first difference.
 */
export function shortDiff(base: string, other: string, most: number): DiffPart[] {
  const room = Math.min(most, mostCompared);
  if (base === other) return fitRoom([{ kind: 'same', text: base.slice(0, room + 1) }], room);
  const start = beforeFirstDifference(base, other);
  const from = start === 0 ? '' : '…';
  const a = from + wholeCharacters(base.slice(start, start + mostCompared));
  const b = from + wholeCharacters(other.slice(start, start + mostCompared));
  const parts = diffWords(a, b, { maxEditLength: mostEdits });
  const pieces = parts === undefined ? replaced(a, b, room) : shorten(parts);
  return fitRoom(pieces, room);
}

/** For texts that are too different to align; each gets half of the room. */
function replaced(base: string, other: string, room: number): DiffPart[] {
  const half = Math.max(10, Math.floor(room / 2));
  return [
    { kind: 'removed', text: cut(base, half) },
    { kind: 'added', text: cut(other, half) },
  ];
}

function beforeFirstDifference(base: string, other: string): number {
  const shorter = Math.min(base.length, other.length);
  let at = 0;
  while (at < shorter && base.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  if (at <= 2 * context) return 0;
  const start = at - context;
  const blank = base.slice(start, at).search(/\s/);
  return blank === -1 ? afterHalfCharacter(base, start) : start + blank + 1;
}

function afterHalfCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}

function wholeCharacters(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '');
}

/** Cuts the middle of long equal parts. */
function shorten(pieces: readonly DiffPart[]): DiffPart[] {
  return pieces.map((piece, at) => {
    const { kind, text } = piece;
    const before = at > 0 ? context : 0;
    const after = at < pieces.length - 1 ? context : 0;
    if (kind !== 'same' || text.length <= before + after + gap.length) return piece;
    const head = wholeCharacters(text.slice(0, before));
    const tail = text.slice(afterHalfCharacter(text, text.length - after));
    return { kind, text: `${head}${gap}${tail}` };
  });
}

function fitRoom(pieces: readonly DiffPart[], room: number): DiffPart[] {
  const fitted: DiffPart[] = [];
  const most = Math.ceil(room / 2);
  let left = room;
  for (const { kind, text } of pieces) {
    if (left <= 0) {
      fitted.push({ kind: 'same', text: '…' });
      break;
    }
    // Removed text must not use up the room of its replacement.
    fitted.push({ kind, text: cut(text, kind === 'same' ? left : Math.min(left, most)) });
    left -= Math.min(text.length, kind === 'same' ? left : most);
  }
  return fitted;
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${wholeCharacters(text.slice(0, length))}…`;
}
