/**
 * The value below which a share (0…1) of ascending values lies: linear interpolation between neighbours, type 7
 * of Hyndman and Fan 1996, The American Statistician 50, 361–365. `null` when there are no values.
 */
export function percentile(sorted: ArrayLike<number>, share: number): number | null {
  if (sorted.length === 0) return null;
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)] ?? 0;
  const above = sorted[Math.ceil(position)] ?? 0;
  return below + (above - below) * (position - Math.floor(position));
}

/** What half, and what 95 %, of values stay below; `null` where none are known. */
export interface Percentiles {
  readonly p50: number | null;
  readonly p95: number | null;
}

/** The percentiles that are shown, of ascending values. */
export function percentilesOf(sorted: ArrayLike<number>): Percentiles {
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) };
}
