import { renderCost } from '../../../../src/text/usage-text.js';
import { withoutZero } from './figures.js';

/** A cost in a column of dollars: `.0054`, `≥ 1.84`, `not priced`. */
export function costFigure(of: { readonly cost: number | null; readonly unpriced?: number }) {
  if (of.cost === null) return 'not priced';
  const text = renderCost(of).replace('$', '');
  return text.replace(/^([≥<] ?)?(.*)$/u, (_, sign = '', rest) => `${sign}${withoutZero(rest)}`);
}
