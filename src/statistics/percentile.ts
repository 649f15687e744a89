/**
 * The value at a share (0…1) of ascending values: linear interpolation between neighbours, type 7 of Hyndman and
 * Fan 1996, The American Statistician 50, 361–365. `null` without values.
 */
export function percentile(sorted: ArrayLike<number>, share: number): number | null {
  if (sorted.length === 0) return null;
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)] ?? 0;
  const above = sorted[Math.ceil(position)] ?? 0;
  const weight = position - Math.floor(position);
  const step = above - below;
  // Values of opposite signs can be further apart than any number.
  return Number.isFinite(step) ? below + step * weight : below * (1 - weight) + above * weight;
}

/** The median and the 95th percentile; `null` if unknown. */
export interface Percentiles {
  readonly p50: number | null;
  readonly p95: number | null;
}

/** p50 and p95 of ascending values. */
export function percentilesOf(sorted: ArrayLike<number>): Percentiles {
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) };
}
