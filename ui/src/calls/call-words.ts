import { renderCost, renderResultCost, withoutPrice } from '../../../src/text/usage-text.js';
import type { ListedCall } from '../api/schema.js';
import { bracketed } from '../components/figures/cost-text.js';
import type { CallsSummary } from './calls-view.js';

/** `target`, or the name of an evaluator. */
export function roleName(role: string): string {
  return role.replace(/^evaluator:/, '');
}

/** The colour of who made a call: target, evaluators, others. */
export function rolePart(role: string): number {
  return role === 'target' ? 0 : role.startsWith('evaluator:') ? 1 : 2;
}

/** A cost without `$` for a column: `0.0808`, `(0.0201)`, `not priced`, `unknown`; empty for a refused call. */
export function callCost({ cost, failed, taken, input }: ListedCall): string {
  if (failed && (cost === 0 || cost === null)) return '';
  if (cost === null) return input === undefined ? 'unknown' : 'not priced';
  return bracketed(renderCost({ cost }).replace('$', ''), taken !== undefined);
}

/** The cost of the calls of a model; in brackets if the run made none of them itself. */
export function modelCost({ usage, taken }: CallsSummary['models'][number]): string {
  if (usage !== undefined) {
    return usage.cost === null && withoutPrice(usage) > 0 ? 'not priced' : renderResultCost(usage);
  }
  return taken === undefined ? '' : bracketed(renderResultCost(taken), true);
}

/** Seconds of the right end of a time axis with three steps of 1, 2 or 5 of some power of ten. */
export function axisEnd(longest: number): number {
  const rough = Math.max(longest, 0.003) / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((of) => of * power >= rough * 0.999) ?? 10);
  return Number((3 * step).toPrecision(9));
}
