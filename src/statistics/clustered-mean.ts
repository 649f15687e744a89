import type { Estimate } from './bounds.js';
import { meanInterval } from './mean-interval.js';
import { sumOf } from './sums.js';
import type { Scale } from './value-scale.js';

/**
 * The mean over all results, sum of sums / sum of counts, with its 95 % interval over clusters (all trials of a
 * case, or of the cases of a cluster). `null` without results, and when the sum overflows. Both lists have one entry per cluster: its sum and its
 * count (1 or more). See `clusterValues` for how a cluster is represented, and `meanInterval` for the bounds and for the scale of the results.
 * `squares`: the sum of the squares of all results, if known.
 */
export function clusteredMean(
  sums: ArrayLike<number>,
  counts: ArrayLike<number>,
  scale?: Scale,
  squares?: number,
): Estimate | null {
  if (sums.length === 0) return null;
  const estimate = sumOf(sums) / sumOf(counts);
  if (!Number.isFinite(estimate)) return null;
  const within = squares === undefined ? 0 : varianceWithin(sums, counts, squares);
  return { estimate, ...meanInterval(clusterValues(sums, counts), scale, within) };
}

/**
 * One value for each cluster, whose mean is that of all results. If counts differ, the mean is a ratio of two sums, and
 * each cluster is represented by its linearisation, mean + (sum − mean · count) / average count (Cochran 1977, Sampling
 * Techniques, chapter 6), whose variance is that of clustered standard errors (Miller 2024, "Adding Error Bars to Evals",
 * arXiv:2411.00640, section 2.2); with equal counts that is the mean of the cluster.
 */
export function clusterValues(sums: ArrayLike<number>, counts: ArrayLike<number>): Float64Array {
  const count = sumOf(counts);
  const mean = sumOf(sums) / count;
  const average = count / sums.length;
  let isEven = true;
  for (let i = 0; i < counts.length; i += 1) isEven &&= counts[i] === average;
  return Float64Array.from(sums, (sum, i) => {
    const own = counts[i] ?? 1;
    return isEven ? sum / own : mean + (sum - mean * own) / average;
  });
}

/** The mean squared distance of results from the mean of their cluster. */
export function varianceWithin(
  sums: ArrayLike<number>,
  counts: ArrayLike<number>,
  squares: number,
): number {
  const own = Float64Array.from(sums, (sum, i) => sum ** 2 / (counts[i] ?? 1));
  return Math.max(0, squares - sumOf(own)) / sumOf(counts);
}
