import type { Estimate } from '../../statistics/bounds.js';

const levels = '▁▂▃▄▅▆▇';

/** Renders rates as a row of bars in the given order, 0 to 1 from lowest to highest; `·` for a missing one. */
export function renderSparkline(rates: readonly (Estimate | null)[]): string {
  return rates
    .map((rate) => {
      if (rate === null) return '·';
      return levels[Math.min(levels.length - 1, Math.floor(rate.estimate * levels.length))];
    })
    .join('');
}
