import { type Bounds, type Estimate, noBounds } from './bounds.js';
import { normalQuantile } from './normal-quantile.js';

/**
 * The share `passed / total` with its Wilson score interval (Wilson 1927; method 3 of Newcombe 1998,
 * Statistics in Medicine 17, 857–872), without continuity correction. Estimate and bounds lie in 0…1; with a total
 * of 0 the estimate is 0 and the bounds are `null`. Throws a `RangeError` for counts that are not whole
 * numbers with 0 ≤ passed ≤ total and for a confidence that is not between 0 and 1.
 */
export function wilsonInterval(passed: number, total: number, confidence = 0.95): Estimate {
  if (!Number.isInteger(passed) || !Number.isInteger(total) || passed < 0 || passed > total) {
    throw new RangeError(
      `A rate needs whole numbers 0 ≤ passed ≤ total, got ${passed} of ${total}`,
    );
  }
  if (!(confidence > 0 && confidence < 1)) {
    throw new RangeError(`A confidence lies between 0 and 1, got ${confidence}`);
  }
  if (total === 0) return { estimate: 0, ...noBounds };
  const z = -normalQuantile((1 - confidence) / 2);
  return { estimate: passed / total, ...wilson(passed, total, z) };
}

const z95 = -normalQuantile(0.025);

/** The bounds of the 95 % interval for counts that need not be whole numbers, of a total above 0. */
export function wilsonBounds(passed: number, total: number): Bounds {
  return wilson(passed, total, z95);
}

function wilson(passed: number, total: number, z: number): Bounds {
  const centre = passed + (z * z) / 2;
  const halfWidth = z * Math.sqrt(passed * (1 - passed / total) + (z * z) / 4);
  const scale = total + z * z;
  return {
    // Exactly 0 and 1 by the formula, but rounding can move them.
    low: passed <= 0 ? 0 : (centre - halfWidth) / scale,
    high: passed >= total ? 1 : (centre + halfWidth) / scale,
  };
}
