/** The fewest and the most characters that are kept at the end of a name. */
const fewest = 8;
const most = 20;

/** Length of the end of a name that is kept where nothing is known of the names beside it. */
export const usualEnd = 12;

/** Lengths of the beginning that two names need to share to be taken for alike. */
const beginnings = [0, 8, 12, 16];

/**
 * For each name, the length of the shortest end that tells it from the others, from the start of a word on. If no end
 * does, it tells the name from those that begin alike; if that is impossible too, it has the fewest characters, so that
 * there is more room for the beginning.
 */
export function tellingEnds(names: readonly string[]): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  const all = [...new Set(names)];
  for (const length of beginnings) {
    if (ends.size === all.length) break;
    for (const group of beginningAlike(all, length)) {
      // Its beginning tells it from the others.
      if (length > 0 && group.length === 1) continue;
      for (const [name, end] of endsAmong(group)) if (!ends.has(name)) ends.set(name, end);
    }
  }
  for (const name of all) if (!ends.has(name)) ends.set(name, fewest);
  return ends;
}

/** Names in groups that share the evaluation and so many characters of the case; all of them for 0. */
function beginningAlike(names: readonly string[], length: number): Iterable<readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const from = name.endsWith(']') ? name.indexOf('[') + 1 : 0;
    const beginning = length === 0 ? '' : name.slice(0, from + length);
    const group = groups.get(beginning) ?? [];
    group.push(name);
    groups.set(beginning, group);
  }
  return groups.values();
}

/** The lengths of the ends that tell names from all others, for those that have one. */
function endsAmong(names: readonly string[]): readonly (readonly [name: string, end: number])[] {
  // Sorted from their ends, names with the longest common end are neighbours.
  const sorted = names
    .map((name) => ({ name, backwards: [...name].reverse().join('') }))
    .sort((a, b) => (a.backwards < b.backwards ? -1 : 1));
  return sorted.flatMap(({ name, backwards }, n) => {
    const common = Math.max(
      commonStart(backwards, sorted[n - 1]?.backwards),
      commonStart(backwards, sorted[n + 1]?.backwards),
    );
    const end = Math.max(fewest, common + 1);
    return common < most ? [[name, fromWordStart(name, end)] as const] : [];
  });
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

/** Lengthens an end to the start of its word, if that is near and not the start of the name: the rest can give way. */
function fromWordStart(name: string, length: number): number {
  for (let longer = length; longer <= Math.min(most, name.length - 1); longer += 1) {
    if (/[^\p{L}\p{N}]/u.test(name[name.length - longer - 1] ?? '')) return longer;
  }
  return length;
}
