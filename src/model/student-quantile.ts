import { normalQuantile } from './normal-quantile.js';

/**
 * The value below which a Student t variable falls with the given probability (above 0.5, below 1), for a
 * whole number of degrees of freedom from 1. Exact for 1 and 2, else Algorithm 396 (Hill 1970, CACM 13,
 * 619–620), good to about 5 digits. Throws a `RangeError` for anything else.
 */
export function studentQuantile(probability: number, freedom: number): number {
  if (!(probability > 0.5 && probability < 1) || !Number.isInteger(freedom) || freedom < 1) {
    throw new RangeError(
      `A quantile needs 0.5 < probability < 1 and whole degrees of freedom from 1, got ${probability} and ${freedom}`,
    );
  }
  const twoTailed = 2 * (1 - probability);
  if (freedom === 1) return 1 / Math.tan((twoTailed * Math.PI) / 2);
  if (freedom === 2) return Math.sqrt(2 / (twoTailed * (2 - twoTailed)) - 2);
  return hill(twoTailed, freedom);
}

/** The names of the published algorithm. */
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
