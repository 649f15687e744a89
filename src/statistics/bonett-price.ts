import { type Bounds, noBounds } from './bounds.js';
import { normalQuantile } from './normal-quantile.js';

const z = -normalQuantile(0.025);

/**
 * 95 % interval of the difference (other − base) of two shares over n pairs of which each side passed once or not:
 * `onlyBase` pairs passed in the base alone, `onlyOther` in the other alone. Within −1…1; `null` bounds without
 * pairs. Wald's interval after one pair was added to each of both (Bonett and Price 2012, "Adjusted Wald Confidence
 * Interval for a Difference of Binomial Proportions Based on Paired Data", Journal of Educational and Behavioral
 * Statistics 37, 479–488). Throws a `RangeError` for counts that are not whole numbers or do not fit into n.
 */
export function bonettPrice(onlyBase: number, onlyOther: number, n: number): Bounds {
  const isWhole = [onlyBase, onlyOther, n].every((count) => Number.isInteger(count) && count >= 0);
  if (!isWhole || onlyBase + onlyOther > n) {
    throw new RangeError(
      `Pairs need whole numbers, onlyBase + onlyOther ≤ n, got ${onlyBase}, ${onlyOther} of ${n}`,
    );
  }
  if (n === 0) return noBounds;
  const base = (onlyBase + 1) / (n + 2);
  const other = (onlyOther + 1) / (n + 2);
  const difference = other - base;
  const half = z * Math.sqrt((base + other - difference ** 2) / (n + 2));
  return { low: Math.max(-1, difference - half), high: Math.min(1, difference + half) };
}
