/** The difference that rounding alone can cause between values of this size: 2^-40 of the largest. */
export function roundingTolerance(...lists: readonly ArrayLike<number>[]): number {
  let largest = 0;
  for (const list of lists) {
    for (let i = 0; i < list.length; i += 1) largest = Math.max(largest, Math.abs(list[i] ?? 0));
  }
  return largest * 2 ** -40;
}
