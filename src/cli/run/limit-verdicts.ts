import type { GateVerdict } from '../../model/gates/gate-verdict.js';
import { isUnfinished } from '../../model/result.js';
import type { CallLimiter } from '../../runner/calls/call-limiter.js';
import type { StoredRun } from '../../store/stored-run.js';
import { renderCount } from '../../text/count-text.js';
import { pricesHint, renderDollars, unpricedText } from '../../text/usage-text.js';

/** Verdicts of exceeded or unknown cost limits; none if all were kept. */
export function limitVerdicts(run: StoredRun, calls: CallLimiter | undefined): GateVerdict[] {
  if (calls === undefined) return [];
  const { budget } = calls;
  if (budget === undefined) {
    if (!calls.isCostUnknown) return [];
    const text = `a limit on cost cannot be kept: ${pricesHint}`;
    return [{ verdict: 'cannot-tell', text }];
  }
  const { maxCost, spent, unpriced } = budget;
  const most = renderDollars(maxCost);
  if (unpriced > 0 && spent < maxCost) {
    const which = unpricedText(unpriced, run.summary().usage);
    const text = `max-cost ${most} cannot be judged: ${which}, ≥ ${renderDollars(spent)} spent; ${pricesHint}`;
    return [{ verdict: 'cannot-tell', text }];
  }
  return stoppedVerdict(run, spent, maxCost);
}

/** The verdict on a saved run that the budget stopped. */
export function savedBudgetVerdict(run: StoredRun): GateVerdict[] {
  return stoppedVerdict(run, run.spent, run.head().max_cost);
}

function stoppedVerdict(run: StoredRun, spent: number, maxCost: number | undefined): GateVerdict[] {
  if (run.head().outcome !== 'budget') return [];
  const refused = new Set(run.refused);
  const waiting = run.rows.filter((row, index) => refused.has(index) || isUnfinished(row)).length;
  const ran = run.rows.length - waiting;
  const text = [
    `stopped at the budget: ${renderDollars(spent)}${maxCost === undefined ? '' : ` of ${renderDollars(maxCost)}`}`,
    `${renderCount(ran)} of ${renderCount(run.rows.length)} ran, ${renderCount(waiting)} wait: assay run --resume ${run.runId} --max-cost ${Number(((maxCost ?? spent) * 2).toPrecision(3))}`,
  ].join(' · ');
  return [{ verdict: 'no', text }];
}
