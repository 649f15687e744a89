import { renderAllTokens, resultBesideTaken } from '../../../../../src/text/usage-text.js';
import type { SpentTotals } from '../../../api/schema.js';
import { resultCostFigure } from '../../../components/figures/cost-text.js';
import { count } from '../../../components/figures/figures.js';
import type { UsageColumn } from '../columns/columns.js';

/** Calls, tokens or cost of a result; in brackets what it took over. */
export function usageFigure(id: UsageColumn, usage: SpentTotals): string {
  if (id === 'calls') return resultBesideTaken(usage, ({ calls }) => count(calls));
  if (id === 'cost') return resultCostFigure(usage);
  return resultBesideTaken(usage, renderAllTokens);
}
