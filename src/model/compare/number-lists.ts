/** Equal values, and how often each occurs. */
export interface ValueGroups {
  /** Ascending. */
  readonly values: Float64Array;
  readonly counts: Float64Array;
}

/**
 * Groups ascending values. What lies within `tolerance` above the smallest of a group belongs to it: such values
 * differ by rounding only.
 */
export function groupSorted(sorted: Float64Array, tolerance: number): ValueGroups {
  const values = new Float64Array(sorted.length);
  const counts = new Float64Array(sorted.length);
  let groups = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const value of sorted) {
    if (groups === 0 || value > until) {
      values[groups] = value;
      groups += 1;
      until = value + tolerance;
    }
    counts[groups - 1] = (counts[groups - 1] ?? 0) + 1;
  }
  return { values: values.slice(0, groups), counts: counts.slice(0, groups) };
}

/** The same groups, those with many values first. */
export function mostCommonFirst({ values, counts }: ValueGroups): ValueGroups {
  const order = Array.from(counts.keys()).sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0));
  return {
    values: Float64Array.from(order, (at) => values[at] ?? 0),
    counts: Float64Array.from(order, (at) => counts[at] ?? 0),
  };
}

/**
 * The sum of values, with what rounding loses carried along (Neumaier 1974, Zeitschrift für Angewandte Mathematik und
 * Mechanik 54, 39–51), so that it does not depend on their order.
 */
export function sumOf(values: ArrayLike<number>): number {
  let sum = 0;
  let lost = 0;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] ?? 0;
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
}

/** The mean of values; NaN when there are none. */
export function meanOf(values: ArrayLike<number>): number {
  return sumOf(values) / values.length;
}
