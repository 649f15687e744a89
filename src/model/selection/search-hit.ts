import type { StoredCalls } from '../calls/stored-calls.js';
import type { ResultEntry } from '../result.js';
import { type PlacedText, textsOf } from './result-texts.js';
import { foldText, type SearchWords } from './search-line.js';

/** Where a result says what was searched for: a part of a text on one line, around the longest word that was found. */
export interface SearchHit extends Omit<PlacedText, 'text'> {
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

/** Most characters around a match. */
export const hitLengths = { before: 10, after: 160 } as const;

/** The text of a result with most of the words, of those the first; `undefined` without words. */
export function searchHit(
  entry: ResultEntry,
  calls: StoredCalls | undefined,
  { words }: SearchWords,
): SearchHit | undefined {
  let best: { readonly one: PlacedText; readonly words: readonly string[] } | undefined;
  for (const one of textsOf(entry, calls)) {
    const folded = foldText(one.text);
    const found = words.filter((word) => folded.includes(word));
    if (found.length > (best?.words.length ?? 0)) best = { one, words: found };
    if (found.length === words.length) break;
  }
  const longest = best?.words.toSorted((a, b) => b.length - a.length)[0];
  return best && excerptOf(best.one, longest ?? '');
}

function excerptOf({ text, ...place }: PlacedText, word: string): SearchHit {
  const [from, to] = rangeOf(text, word);
  const start = from > hitLengths.before ? from - hitLengths.before : 0;
  const end = to + hitLengths.after;
  const oneLine = (part: string) => part.replace(/\s+/g, ' ').toWellFormed();
  return {
    ...place,
    before: `${start > 0 ? '…' : ''}${oneLine(text.slice(start, from))}`,
    match: oneLine(text.slice(from, to)),
    after: `${oneLine(text.slice(to, end))}${end < text.length ? '…' : ''}`,
  };
}

/** Where a folded word stands in a text. Folding may change lengths, mostly not. */
function rangeOf(text: string, word: string): readonly [from: number, to: number] {
  const folded = foldText(text);
  const at = folded.indexOf(word);
  if (folded.length === text.length) return [at, at + word.length];
  const placeOf = (wanted: number) => {
    let [own, length] = [0, 0];
    for (const { segment } of new Intl.Segmenter().segment(text)) {
      if (length >= wanted) break;
      length += foldText(segment).length;
      own += segment.length;
    }
    return own;
  };
  return [placeOf(at), placeOf(at + word.length)];
}
