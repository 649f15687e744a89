import type { Estimate } from '../../statistics/bounds.js';

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
