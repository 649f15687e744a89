import { renderAllTokens } from '../../../../../src/text/usage-text.js';
import type { UsageTotals } from '../../../api/schema.js';
import { resultCostFigure } from '../../../components/figures/cost-text.js';
import { count } from '../../../components/figures/figures.js';
import type { UsageColumn } from '../columns/columns.js';

/** Calls, tokens or cost of a result. */
export function usageFigure(id: UsageColumn, usage: UsageTotals): string {
  if (id === 'calls') return count(usage.calls);
  if (id === 'cost') return resultCostFigure(usage);
  return renderAllTokens(usage);
}
