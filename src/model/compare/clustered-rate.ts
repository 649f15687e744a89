import type { Estimate } from '../../statistics/bounds.js';
import { normalQuantile } from '../../statistics/normal-quantile.js';
import { sumOf } from '../../statistics/sums.js';
import { wilsonInterval } from '../../statistics/wilson-interval.js';

const z = -normalQuantile(0.025);

/**
 * The rate passed / counted over all units with its 95 % Wilson interval; `null` when nothing counts. What a unit counts
 * (1 or more), and how much of it passed, stand at one position of both lists. Trials of one unit are alike: where units
 * count more than once, the interval is that of the effective sample size, the total divided by the design effect
 * (Rao and Scott 1992, "A Simple Method for the Analysis of Clustered Binary Data", Biometrics 48, 577–585); never
 * more than the total, and one per unit where all or none passed.
 */
export function clusteredRate(passed: Float64Array, counted: Float64Array): Estimate | null {
  const total = sumOf(counted);
  const passes = sumOf(passed);
  if (total === 0) return null;
  if (total === counted.length) return wilsonInterval(passes, total);
  const rate = passes / total;
  return wilson(rate, Math.min(total, effectiveSize(passed, counted, rate)));
}

function effectiveSize(passed: Float64Array, counted: Float64Array, rate: number): number {
  const units = counted.length;
  // Nothing varies between units: as cautious as if their trials told nothing new.
  if (units < 2 || rate === 0 || rate === 1) return units;
  const total = sumOf(counted);
  const squares = passed.reduce(
    (sum, count, i) => sum + (count - rate * (counted[i] ?? 0)) ** 2,
    0,
  );
  const variance = ((units / (units - 1)) * squares) / total ** 2;
  return (rate * (1 - rate)) / variance;
}

/** Wilson's formula for a size that need not be a whole number. */
function wilson(rate: number, size: number): Estimate {
  const scale = 1 + (z * z) / size;
  const centre = rate + (z * z) / (2 * size);
  const half = z * Math.sqrt((rate * (1 - rate)) / size + (z / (2 * size)) ** 2);
  return {
    estimate: rate,
    low: rate === 0 ? 0 : (centre - half) / scale,
    high: rate === 1 ? 1 : (centre + half) / scale,
  };
}
