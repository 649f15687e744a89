import { renderCost, withoutPrice } from '../../../../src/text/usage-text.js';
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

/** {@link costFigure} of a result; in brackets if all its calls were replayed: `(.0054)`. */
export function resultCostFigure(
  of: ShownCost & {
    readonly calls: number;
    readonly replayed?: number;
    readonly replayed_cost?: number;
  },
): string {
  if (of.replayed !== of.calls) return costFigure(of);
  const { replayed_cost: cost = 0 } = of;
  return cost > 0 ? `(${costFigure({ cost })})` : '(–)';
}
