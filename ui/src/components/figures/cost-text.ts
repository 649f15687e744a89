import {
  besideTaken,
  renderCost,
  resultBesideTaken,
  withoutPrice,
} from '../../../../src/text/usage-text.js';
import type { SpentTotals } from '../../api/schema.js';
import { withoutZero } from './figures.js';

/** The shown cost of calls. */
interface ShownCost {
  readonly cost: number | null;
  readonly unpriced?: number;
  readonly without_tokens?: number;
  readonly unknown_calls?: number;
}

/** A cost in a column of dollars: `.0054`, `≥ 1.84`, `not priced`. */
export function costFigure(of: ShownCost): string {
  if (of.cost === null) return withoutPrice(of) > 0 || !of.unpriced ? 'not priced' : 'unknown';
  const text = renderCost(of).replace('$', '');
  return text.replace(/^([≥<] ?)?(.*)$/u, (_, sign = '', rest) => `${sign}${withoutZero(rest)}`);
}

/** {@link costFigure} of a result; in brackets what it took over: `(.0054)`. */
export function resultCostFigure(of: SpentTotals): string {
  return resultBesideTaken(of, costFigure);
}

/** {@link costFigure} of several results; in brackets what they took over: `.0054 (.97)`. */
export function groupCostFigure(of: SpentTotals): string {
  return besideTaken(of, costFigure);
}
