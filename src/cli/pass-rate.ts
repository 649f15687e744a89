import type { Estimate } from '../statistics/bounds.js';
import { wilsonInterval } from '../statistics/wilson-interval.js';

/** Passed results, and those that count towards the pass rate. */
interface Verdicts {
  readonly passed: number;
  readonly of: number;
}

/** The pass rate with its 95 % interval; `null` when nothing has a verdict. */
export function passRate({ passed, of }: Verdicts): Estimate | null {
  // Counts of a file that somebody changed may not fit each other.
  return of === 0 || passed > of ? null : wilsonInterval(passed, of);
}

const levels = '▁▂▃▄▅▆▇';

/** Rates as a line of bars in the order given, 0 to 1 from the lowest to the highest; `·` where there is none. */
export function renderSparkline(rates: readonly (Estimate | null)[]): string {
  return rates
    .map((rate) => {
      if (rate === null) return '·';
      return levels[Math.min(levels.length - 1, Math.floor(rate.estimate * levels.length))];
    })
    .join('');
}
