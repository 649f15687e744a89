/** Begin and end. */
export type Period = readonly [from: number, to: number];

/** Total length of the intervals of the first list (disjoint) outside of those of the second. */
export function lengthOutside(periods: readonly Period[], others: readonly Period[]): number {
  const sorted = [...others].sort(([a], [b]) => a - b);
  let length = 0;
  for (const [from, to] of periods) {
    let at = from;
    for (const [begin, end] of sorted) {
      if (begin >= to) break;
      length += Math.max(0, begin - at);
      at = Math.max(at, end);
    }
    length += Math.max(0, to - at);
  }
  return length;
}
