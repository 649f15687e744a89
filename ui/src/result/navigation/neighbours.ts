/** The position of a result among those that match the filter. */
export interface Neighbours {
  /** From 0; absent when the result is not among them. */
  readonly position: number | undefined;
  readonly count: number;
  readonly previous: number | undefined;
  readonly next: number | undefined;
}

/**
 * Finds the results before and after one, by their indices in the order of the table. One that has left the
 * list (it was corrected) is looked for in `before`, the list as it was when it was still in.
 */
export function neighbours(
  list: readonly number[],
  current: number,
  before: readonly number[] = [],
): Neighbours {
  const position = list.indexOf(current);
  if (position >= 0) {
    return {
      position,
      count: list.length,
      previous: list[position - 1],
      next: list[position + 1],
    };
  }
  const isListed = new Set(list);
  const place = before.indexOf(current);
  const nearest = (indices: readonly number[]) => indices.find((index) => isListed.has(index));
  const previous =
    place >= 0
      ? nearest(before.slice(0, place).reverse())
      : list.filter((index) => index < current).at(-1);
  const next =
    place >= 0 ? nearest(before.slice(place + 1)) : list.find((index) => index > current);
  return { position: undefined, count: list.length, previous, next };
}
