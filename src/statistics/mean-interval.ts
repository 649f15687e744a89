import { type Bounds, noBounds } from './bounds.js';
import { roundingTolerance } from './rounding-tolerance.js';
import { studentQuantile } from './student-quantile.js';
import { meanOf, sumOf } from './sums.js';
import type { Scale } from './value-scale.js';

/** With fewer values, no interval of a mean covers skewed and bounded values as often as it claims. */
const fewestForMean = 20;

/**
 * 95 % interval of the mean of independent values: Student's, with Hall's transformation for skewness, which makes
 * it second-order correct (Hall 1992, "On the Removal of Skewness by Transformation", Journal of the Royal
 * Statistical Society B 54, 221–228); for symmetric values it is Student's interval. The bounds are `null` below 20
 * values; when all values are alike, because nothing shows how much they vary; and when a single value at the
 * farther end of the scale would move the mean by more than a standard error, because the sample may lack a rare
 * far value. Without `scale`, that last rule does not apply.
 *
 *
 * `within`: where each value is a mean of several trials, the mean variance of the trials around it. The single value of
 * the last rule is then that of one trial, so that more trials do not hide an interval. The order of the values does not
 * matter; negating the values mirrors the interval.
 */
export function meanInterval(values: ArrayLike<number>, scale?: Scale, within = 0): Bounds {
  return intervalOf(values, { scale, within }, ({ skewness }) => skewness);
}

/**
 * 95 % interval of the mean of paired differences on a scale (of differences): Student's, without the
 * transformation. The differences of an unchanged system are symmetric, and where few pairs differ, the skewness of
 * a sample is chance. `null` bounds and `within` (of a trial in each run together) as for `meanInterval`.
 */
export function differenceInterval(
  differences: ArrayLike<number>,
  scale: Scale,
  within = 0,
): Bounds {
  return intervalOf(differences, { scale, within }, () => 0);
}

function intervalOf(
  values: ArrayLike<number>,
  { scale, within }: { readonly scale: Scale | undefined; readonly within: number },
  skewnessOf: (moments: ReturnType<typeof momentsOf>) => number,
): Bounds {
  const count = values.length;
  if (count < fewestForMean) return noBounds;
  // In units of the rounding tolerance, no power of a value overflows or underflows.
  const unit = roundingTolerance(values);
  if (unit === 0) return noBounds;
  const moments = momentsOf(Float64Array.from(values, (one) => one / unit));
  const { mean, deviation } = moments;
  if (deviation <= 1) return noBounds;
  const reach =
    scale === undefined ? 0 : Math.max(mean - scale.low / unit, scale.high / unit - mean);
  const shared = shareOfTrial(deviation ** 2, within / unit ** 2);
  // The mean would move by reach · shared / n; the standard error is deviation / √n.
  if (reach * shared > deviation * Math.sqrt(count)) return noBounds;
  const quantile = studentQuantile(0.975, count - 1);
  const skewness = skewnessOf(moments);
  const bound = (side: number) =>
    (mean - deviation * studentisedAt(side * quantile, skewness, count)) * unit;
  const [low, high] = [bound(1), bound(-1)];
  return Number.isFinite(low) && Number.isFinite(high) ? { low, high } : noBounds;
}

/**
 * How far a far trial moves the mean of its case, as a share of its distance: 1 for single trials, and for trials that
 * are alike. The mean holds as many independent trials as the variance of one (between the means, and around them) is
 * larger than that of the means (Kish 1965, Survey Sampling, section 8.2). Far trials are partly a matter of the case:
 * with the exponent ½, more trials would hide intervals that single trials show; with 1, coverage falls to 85 %.
 */
function shareOfTrial(between: number, within: number): number {
  return Number.isFinite(within) ? (1 + Math.max(0, within) / between) ** (-2 / 3) : 1;
}

function momentsOf(values: Float64Array) {
  const count = values.length;
  const mean = meanOf(values);
  const offsets = values.map((value) => value - mean);
  const squares = sumOf(offsets.map((offset) => offset ** 2));
  const cubes = sumOf(offsets.map((offset) => offset ** 3));
  return {
    mean,
    deviation: Math.sqrt(squares / (count - 1)),
    skewness: (Math.sqrt(count) * cubes) / squares ** 1.5,
  };
}

/**
 * The value of (x̄ − μ) / s whose transformation is `y`/√n: the inverse of W + γ W²/3 + γ² W³/27 + γ/6n, which
 * removes skewness.
 */
function studentisedAt(y: number, skewness: number, count: number): number {
  const plain = y / Math.sqrt(count) - skewness / (6 * count);
  const change = skewness * plain;
  if (Math.abs(change) < 1e-15) return plain;
  // For nearly symmetric values, the plain difference would lose digits.
  const root = change > -0.5 ? Math.expm1(Math.log1p(change) / 3) : Math.cbrt(1 + change) - 1;
  return (3 / skewness) * root;
}
