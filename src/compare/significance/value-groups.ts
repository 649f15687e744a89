/** Distinct values, and how often each occurs. */
export interface ValueGroups {
  /** Ascending. */
  readonly values: Float64Array;
  readonly counts: Float64Array;
}

/**
 * Groups ascending values. Values within `tolerance` above the smallest of a group belong to it: they differ only
 * by rounding.
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
