import { renderAllTokens, renderCalls } from '../../../../../src/text/usage-text.js';
import type { SpentTotals } from '../../../api/schema.js';
import { costFigure, spentFigure } from '../../../components/figures/cost-text.js';
import type { UsageColumn } from '../columns/columns.js';

/** Calls, tokens or cost that a run spent on results; in brackets, if nothing, what they took over. */
export function usageFigure(id: UsageColumn, usage: SpentTotals): string {
  if (id === 'calls') return spentFigure(usage, renderCalls);
  if (id === 'cost') return spentFigure(usage, costFigure);
  return spentFigure(usage, renderAllTokens);
}
