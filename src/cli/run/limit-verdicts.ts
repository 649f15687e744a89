import type { GateVerdict } from '../../model/gates/gate-verdict.js';
import { isUnfinished } from '../../model/result.js';
import type { CallLimiter } from '../../runner/calls/call-limiter.js';
import type { StoredRun } from '../../store/stored-run.js';
import { renderCount } from '../../text/count-text.js';
import { pricesHint, renderDollars, unpricedText } from '../../text/usage-text.js';
import { withFlags } from '../report/report-options.js';

/** Verdicts of exceeded or unknown cost limits; none if all were kept. `resumeFlags`: more flags for the rest of the run. */
export function limitVerdicts(
  run: StoredRun,
  calls: CallLimiter | undefined,
  resumeFlags: string,
): GateVerdict[] {
  if (calls === undefined) return [];
  const { budget } = calls;
  if (budget === undefined) {
    if (!calls.isCostUnknown) return [];
    const text = `a limit on cost cannot be kept: ${pricesHint}`;
    return [{ verdict: 'cannot-tell', text }];
  }
  const { maxCost, spent, unpriced } = budget;
  if (unpriced > 0 && spent < maxCost) return [unknownVerdict(run, { maxCost, spent, unpriced })];
  return run.head().outcome === 'budget' ? [stoppedVerdict(run, spent, maxCost, resumeFlags)] : [];
}

/** The verdict on a saved run that the budget stopped. */
export function savedBudgetVerdict(run: StoredRun): GateVerdict[] {
  const { outcome, max_cost: maxCost } = run.head();
  if (outcome !== 'budget') return [];
  const { spent } = run;
  const { unpriced = 0 } = run.summary().usage ?? {};
  const isUnknown = maxCost !== undefined && unpriced > 0 && spent < maxCost;
  return [
    isUnknown
      ? unknownVerdict(run, { maxCost, spent, unpriced })
      : stoppedVerdict(run, spent, maxCost, ''),
  ];
}

function unknownVerdict(
  run: StoredRun,
  { maxCost, spent, unpriced }: Record<'maxCost' | 'spent' | 'unpriced', number>,
): GateVerdict {
  const which = unpricedText(unpriced, run.summary().usage);
  const text = `max-cost ${renderDollars(maxCost)} cannot be judged: ${which}, ≥ ${renderDollars(spent)} spent; ${pricesHint}`;
  return { verdict: 'cannot-tell', text };
}

function stoppedVerdict(
  run: StoredRun,
  spent: number,
  maxCost: number | undefined,
  resumeFlags: string,
): GateVerdict {
  const cost = Number((Math.max(maxCost ?? 0, spent) * 2).toPrecision(3));
  const resume = withFlags(`assay run --resume ${run.runId} --max-cost ${cost}`, resumeFlags);
  const refused = new Set(run.refused);
  const waiting = run.rows.filter((row, index) => refused.has(index) || isUnfinished(row)).length;
  const ran = run.rows.length - waiting;
  const text = [
    `stopped at the budget: ${renderDollars(spent)}${maxCost === undefined ? '' : ` of ${renderDollars(maxCost)}`}`,
    `${renderCount(ran)} of ${renderCount(run.rows.length)} ran, ${renderCount(waiting)} wait: ${resume}`,
  ].join(' · ');
  return { verdict: 'no', text };
}
