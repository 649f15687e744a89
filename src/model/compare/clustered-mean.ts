import type { Estimate } from '../../statistics/bounds.js';
import { roundingTolerance } from '../../statistics/rounding-tolerance.js';
import { sumOf } from '../../statistics/sums.js';
import type { Steps } from '../steps.js';
import { bootstrapMean } from './bootstrap-mean.js';

/**
 * The mean over all units, sum of sums / sum of counts, with its 95 % bootstrap interval over units; `null` when
 * there are none. A unit's sum and count (1 or more) stand at one position of both lists. Where counts differ the mean
 * is a ratio of two sums; each unit then stands for the mean plus its share of the ratio's linearisation,
 * (sum − mean · count) / average count (Cochran 1977, Sampling Techniques, chapter 6). For equal counts that is
 * the unit's own mean.
 */
export function* clusteredMean(
  sums: Float64Array,
  counts: Float64Array,
  resamples?: number,
): Steps<Estimate | null> {
  if (sums.length === 0) return null;
  const count = sumOf(counts);
  const estimate = sumOf(sums) / count;
  const average = count / sums.length;
  const isEven = counts.every((one) => one === average);
  const values = sums.map((sum, i) => {
    const own = counts[i] ?? 1;
    return isEven ? sum / own : estimate + (sum - estimate * own) / average;
  });
  const tolerance = roundingTolerance(values);
  yield;
  values.sort();
  yield;
  return { estimate, ...(yield* bootstrapMean(values, { tolerance, resamples })) };
}
