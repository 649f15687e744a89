import { type Bounds, noBounds } from './bounds.js';
import { wilsonBounds } from './wilson-interval.js';

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

/**
 * The 95 % interval of a percentile of ascending values: the percentiles at the bounds of Wilson's interval of the share
 * (Woodruff 1952, "Confidence Intervals for Medians and Other Position Measures", JASA 47, 635–646). `units`: how many of
 * the values are independent. A bound is `null` where the values do not reach far enough: where all of them lie on one side
 * of the percentile in more than 2.5 % of samples.
 */
export function percentileBounds(
  sorted: ArrayLike<number>,
  share: number,
  units = sorted.length,
): Bounds {
  if (sorted.length === 0 || share ** units > 0.025 || (1 - share) ** units > 0.025)
    return noBounds;
  const { low, high } = wilsonBounds(share * units, units);
  return { low: percentile(sorted, low ?? 0), high: percentile(sorted, high ?? 1) };
}
