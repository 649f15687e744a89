import { renderCost, resultBesideTaken, withoutPrice } from '../../../../src/text/usage-text.js';
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

/** What a run spent, for a narrow column: `0.0054`; if it spent nothing, what was taken over, in brackets: `(0.97)`. */
export function spentFigure(
  of: SpentTotals,
  render: Parameters<typeof resultBesideTaken>[1],
): string {
  return of.calls > 0 || of.programs ? render(of) : resultBesideTaken(of, render);
}
