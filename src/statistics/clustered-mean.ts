import type { Estimate } from './bounds.js';
import { meanInterval } from './mean-interval.js';
import { sumOf } from './sums.js';
import type { Scale } from './value-scale.js';

/**
 * The mean over all results, sum of sums / sum of counts, with its 95 % interval over clusters (all trials of a
 * case). `null` without results, and when the sum overflows. Both lists have one entry per cluster: its sum and its
 * count (1 or more). If counts differ, the mean is a ratio of two sums, and each cluster is represented by its
 * linearisation, mean + (sum − mean · count) / average count (Cochran 1977, Sampling Techniques, chapter 6); with
 * equal counts that is the mean of the cluster. See `meanInterval` for the bounds and for the scale of the results.
 * `squares`: the sum of the squares of all results, if known.
 */
export function clusteredMean(
  sums: ArrayLike<number>,
  counts: ArrayLike<number>,
  scale?: Scale,
  squares?: number,
): Estimate | null {
  const clusters = sums.length;
  if (clusters === 0) return null;
  const count = sumOf(counts);
  const estimate = sumOf(sums) / count;
  if (!Number.isFinite(estimate)) return null;
  const average = count / clusters;
  const values = new Float64Array(clusters);
  let isEven = true;
  for (let i = 0; i < clusters; i += 1) isEven &&= counts[i] === average;
  for (let i = 0; i < clusters; i += 1) {
    const [sum, own] = [sums[i] ?? 0, counts[i] ?? 1];
    values[i] = isEven ? sum / own : estimate + (sum - estimate * own) / average;
  }
  const within = squares === undefined ? 0 : varianceWithin(sums, counts, squares);
  return { estimate, ...meanInterval(values, scale, within) };
}

/** The mean squared distance of results from the mean of their cluster. */
function varianceWithin(
  sums: ArrayLike<number>,
  counts: ArrayLike<number>,
  squares: number,
): number {
  const own = Float64Array.from(sums, (sum, i) => sum ** 2 / (counts[i] ?? 1));
  return Math.max(0, squares - sumOf(own)) / sumOf(counts);
}
