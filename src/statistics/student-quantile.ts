import { normalQuantile } from './normal-quantile.js';

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
