import { type Bounds, noBounds } from './bounds.js';
import { normalQuantile } from './normal-quantile.js';
import { sumOf } from './sums.js';

const z = -normalQuantile(0.025);

/**
 * 95 % interval of the mean of paired differences (other − base) of shares, each within −1…1; `null` bounds without
 * pairs. `step` is how far one trial moves a pair: 1 for single trials.
 *
 *
 * Wald's interval after adding two pairs that differ, one in each direction. For single trials these have size 1
 * (Bonett and Price 2012, "Adjusted Wald Confidence Interval for a Difference of Binomial Proportions Based on
 * Paired Data", Journal of Educational and Behavioral Statistics 37, 479–488). Pairs of several trials can differ
 * by less: then the size is the root mean square of the pairs that differ, including two of size 1, and at least
 * `step`. If each difference is one of a cluster of so many pairs (`perCluster`), those two have the size that the mean of
 * so many independent differences of 1 has.
 */
export function bonettPrice(differences: ArrayLike<number>, step: number, perCluster = 1): Bounds {
  if (differences.length === 0) return noBounds;
  const n = differences.length + 2;
  const squares = Float64Array.from(differences, (one) => one ** 2);
  const sum = sumOf(squares);
  const differing = squares.reduce((count, one) => (one > 0 ? count + 1 : count), 0);
  const added = Math.max(step ** 2, (sum + 2 / perCluster) / (differing + 2));
  const mean = sumOf(differences) / n;
  const half = z * Math.sqrt(((sum + 2 * added) / n - mean ** 2) / n);
  return { low: Math.max(-1, mean - half), high: Math.min(1, mean + half) };
}
