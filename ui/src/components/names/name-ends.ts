import { tellingEnds } from './telling-end.js';

const known = new WeakMap<object, number>();

/** The length of the end of an item's name that tells it from the others of its page. */
export function nameEndOf<T extends object>(
  item: T,
  page: readonly T[],
  nameOf: (item: T) => string,
): number | undefined {
  if (!known.has(item)) {
    const names = page.map(nameOf);
    const ends = tellingEnds(names);
    for (const [n, other] of page.entries()) known.set(other, ends.get(names[n] ?? '') ?? 0);
  }
  return known.get(item);
}
