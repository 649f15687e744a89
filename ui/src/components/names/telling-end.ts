/** The fewest and the most characters that are kept at the end of a name. */
const fewest = 8;
const most = 20;

/** Length of the end of a name that is kept where nothing is known of the names beside it. */
export const usualEnd = 12;

/**
 * For each name, the length of the shortest end that tells it from the others, from the start of a word on; the fewest
 * characters if none does, so that there is more room for its beginning.
 */
export function tellingEnds(names: readonly string[]): ReadonlyMap<string, number> {
  // Sorted from their ends, names with the longest common end are neighbours.
  const sorted = [...new Set(names)]
    .map((name) => ({ name, backwards: [...name].reverse().join('') }))
    .sort((a, b) => (a.backwards < b.backwards ? -1 : 1));
  return new Map(
    sorted.map(({ name, backwards }, n) => {
      const common = Math.max(
        commonStart(backwards, sorted[n - 1]?.backwards),
        commonStart(backwards, sorted[n + 1]?.backwards),
      );
      const isTelling = common < most;
      return [name, isTelling ? fromWordStart(name, Math.max(fewest, common + 1)) : fewest];
    }),
  );
}

/** Splits a text before its last `length` characters; keeps surrogate pairs and accents with their letter. */
export function splitEnd(text: string, length: number): readonly [head: string, end: string] {
  let at = Math.max(0, text.length - length);
  while (at > 0 && /^[\p{M}\uDC00-\uDFFF\u200D]/u.test(text.slice(at))) at -= 1;
  return [text.slice(0, at), text.slice(at)];
}

function commonStart(a: string, b = ''): number {
  let n = 0;
  while (n < a.length && a[n] === b[n]) n += 1;
  return n === a.length && n === b.length ? 0 : n;
}

/** Lengthens an end to the start of its word, if that is near. */
function fromWordStart(name: string, length: number): number {
  for (let longer = length; longer <= Math.min(most, name.length); longer += 1) {
    if (/[^\p{L}\p{N}]/u.test(name[name.length - longer - 1] ?? ' ')) return longer;
  }
  return length;
}
