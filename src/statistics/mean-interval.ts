import { type Bounds, noBounds } from './bounds.js';
import { normalQuantile } from './normal-quantile.js';
import { roundingTolerance } from './rounding-tolerance.js';
import { meanOf, sumOf } from './sums.js';
import type { Scale } from './value-scale.js';

const gammaRatioTerms: readonly number[] = [
  1,
  -1 / 8,
  1 / 128,
  5 / 1024,
  -21 / 32768,
  -399 / 262144,
  869 / 4194304,
  39325 / 33554432,
  -334477 / 2147483648,
];

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

/**
 * The value below which a Student t variable falls with the given probability (above 0.5, below 1), for a
 * whole number of degrees of freedom from 1, to about 15 digits; a `RangeError` for anything else. Newton's
 * steps on the distribution function, from the start that Algorithm 396 gives (Hill 1970, CACM 13, 619–620).
 */
export function studentQuantile(probability: number, freedom: number): number {
  if (!(probability > 0.5 && probability < 1) || !Number.isInteger(freedom) || freedom < 1) {
    throw new RangeError(
      `A quantile needs 0.5 < probability < 1 and whole degrees of freedom from 1, got ${probability} and ${freedom}`,
    );
  }
  const upper = 1 - probability;
  if (freedom === 1) return 1 / Math.tan(upper * Math.PI);
  if (freedom === 2) return Math.sqrt(1 / (2 * upper * probability) - 2);
  let t = hill(2 * upper, freedom);
  // The start is good to 5 digits, and each step doubles them.
  for (let step = 0; step < 2; step += 1) {
    t += (upperTail(t, freedom) - upper) / density(t, freedom);
  }
  return t;
}

/** The probability of a value above t (0 or more). */
function upperTail(t: number, freedom: number): number {
  const share = (t * t) / (freedom + t * t);
  // P(|T| ≤ t) and P(|T| > t) are both incomplete beta functions; the smaller argument has more digits.
  const factor = t * density(t, freedom);
  return share > 0.5
    ? (factor / freedom) * betaFraction(1 - share, freedom / 2, 0.5)
    : 0.5 - factor * betaFraction(share, 0.5, freedom / 2);
}

function density(t: number, freedom: number): number {
  const height = gammaRatio(freedom / 2) / Math.sqrt(freedom * Math.PI);
  return height * Math.exp((-(freedom + 1) / 2) * Math.log1p((t * t) / freedom));
}

/** Γ(x + ½) / Γ(x): the asymptotic series (Tricomi and Erdélyi 1951, Pacific J. Math. 1) above 24, below it by recurrence. */
function gammaRatio(x: number): number {
  if (x < 24) return (gammaRatio(x + 1) * x) / (x + 0.5);
  const y = 1 / x;
  return Math.sqrt(x) * gammaRatioTerms.reduceRight((sum, term) => sum * y + term, 0);
}

/**
 * The continued fraction of the incomplete beta function without its factor x^a (1 − x)^b / (a B(a, b)), by Lentz's
 * method (DLMF 8.17.22).
 */
function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / (1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; ; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    fraction *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    fraction *= c * d;
    if (Math.abs(c * d - 1) < 1e-16) return fraction;
  }
}

/** Variable names are those of the published algorithm. */
function hill(p: number, n: number): number {
  const a = 1 / (n - 0.5);
  const b = (48 / a) * (1 / a);
  let c = ((20700 * a) / b - 98) * a - 16;
  c = c * a + 96.36;
  const d = ((94.5 / (b + c) - 3) / b + 1) * Math.sqrt((a * Math.PI) / 2) * n;
  let y = (d * p) ** (2 / n);
  if (y > 0.05 + a) {
    const x = normalQuantile(p / 2);
    y = x * x;
    if (n < 5) c += 0.3 * (n - 4.5) * (x + 0.6);
    c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c;
    y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x;
    y = a * y * y;
    y = y > 0.002 ? Math.expm1(y) : 0.5 * y * y + y;
  } else {
    y =
      ((1 / (((n + 6) / (n * y) - 0.089 * d - 0.822) * (n + 2) * 3) + 0.5 / (n + 4)) * y - 1) *
        ((n + 1) / (n + 2)) +
      1 / y;
  }
  return Math.sqrt(n * y);
}
