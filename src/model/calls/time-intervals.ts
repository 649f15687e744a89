/** Begin and end. */
export type Period = readonly [from: number, to: number];

/** Total length of the intervals of the first list outside of those of the second; overlaps count once. */
export function lengthOutside(periods: readonly Period[], others: readonly Period[]): number {
  const excluded = sorted(others);
  let length = 0;
  let counted = Number.NEGATIVE_INFINITY;
  for (const [from, to] of sorted(periods)) {
    let at = Math.max(from, counted);
    for (const [begin, end] of excluded) {
      if (begin >= to) break;
      length += Math.max(0, begin - at);
      at = Math.max(at, end);
    }
    length += Math.max(0, to - at);
    counted = Math.max(counted, to);
  }
  return length;
}

function sorted(periods: readonly Period[]): Period[] {
  return [...periods].sort(([a], [b]) => a - b);
}
