import type { CallLimits } from '../../model/calls/call-rules.js';
import { noUsage } from '../../model/calls/usage.js';
import type { GateVerdict } from '../../model/gates/gate-verdict.js';
import { isUnfinished } from '../../model/result.js';
import type { CallLimiter } from '../../model-calls/call-limiter.js';
import type { StoredRun } from '../../store/stored-run.js';
import { countOf, renderCount } from '../../text/count-text.js';
import { renderDollars, unknownCostText, unknownTokensText } from '../../text/usage-text.js';
import { withFlags } from '../report/report-options.js';

/** Verdicts of exceeded or unknown cost limits; none if all were kept. `resumeFlags`: more flags for the rest of the run. */
export function limitVerdicts(
  run: StoredRun,
  calls: CallLimiter | undefined,
  resumeFlags: string,
): GateVerdict[] {
  if (calls === undefined) return [];
  const { budget } = calls;
  const limits = calls.unjudged.map((kind) => unjudgedLimit(run, kind));
  if (budget === undefined) return limits;
  const { maxCost, spent } = budget;
  // A call whose answer nobody reads never ends.
  const unpriced = budget.unpriced || run.spentOfBudget.unpriced;
  if (unpriced > 0 && spent < maxCost)
    return [...limits, unknownVerdict(run, { maxCost, spent, unpriced })];
  if (run.head().outcome !== 'budget') return limits;
  return [...limits, stoppedVerdict(run, spent, maxCost, resumeFlags)];
}

function unjudgedLimit(run: StoredRun, kind: keyof CallLimits): GateVerdict {
  const usage = run.summary().usage ?? noUsage;
  const { programs = 0, program_names: names = [] } = usage;
  const missing = {
    cost: () => unknownCostText(usage),
    tokens: () => unknownTokensText(usage),
    calls: () => unknownTokensText({ programs, program_names: names }),
  }[kind]();
  const text = `limits on ${kind} of evaluations cannot be judged: ${missing}`;
  return { verdict: 'cannot-tell', text };
}

/** The verdict on a saved run that the budget stopped. */
export function savedBudgetVerdict(run: StoredRun): GateVerdict[] {
  const { outcome, max_cost: maxCost } = run.head();
  if (outcome !== 'budget') return [];
  const { cost: spent, unpriced } = run.spentOfBudget;
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
  // The names are those of all executions.
  const usage = run.summary().usage ?? noUsage;
  const which =
    usage.unpriced === unpriced
      ? unknownCostText(usage)
      : `the cost of ${countOf(unpriced, 'call')} is not known`;
  const text = `max-cost ${renderDollars(maxCost)} cannot be judged: ≥ ${renderDollars(spent)} spent, ${which}`;
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
