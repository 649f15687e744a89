import {
  renderAllTokens,
  renderCalls,
  renderCost,
  resultBesideTaken,
  withoutPrice,
} from '../../../../src/text/usage-text.js';
import type { SpentTotals } from '../../api/schema.js';

/** The shown cost of calls. */
interface ShownCost {
  readonly cost: number | null;
  readonly unpriced?: number;
  readonly without_tokens?: number;
  readonly unknown_calls?: number;
  readonly programs?: number;
}

/** A cost in a column of dollars: `0.0054`, `≥ 1.84`, `not priced`. */
export function costFigure(of: ShownCost): string {
  if (of.cost === null) return withoutPrice(of) > 0 || !of.unpriced ? 'not priced' : 'unknown';
  return renderCost(of).replace('$', '');
}

/** A figure that this run has not spent is in brackets. */
export function bracketed(text: string, isTaken: boolean): string {
  return isTaken ? `(${text})` : text;
}

const renderers = { calls: renderCalls, tokens: renderAllTokens, cost: costFigure };

/** Calls, tokens or cost that a run spent on results; if it spent nothing, what they took over, in brackets: `(0.97)`. */
export function usageFigure(id: keyof typeof renderers, of: SpentTotals): string {
  const render = renderers[id];
  return of.calls > 0 || of.programs ? render(of) : resultBesideTaken(of, render);
}
