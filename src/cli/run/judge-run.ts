import type { ChalkInstance } from 'chalk';
import { calibrateRun } from '../../compare/calibrate-run.js';
import type { LostSummary } from '../../compare/cases/lost-scores.js';
import { lostTexts } from '../../compare/cases/lost-text.js';
import type { ReviewedRun } from '../../model/calibration/judgements.js';
import type { CallLimits } from '../../model/calls/call-rules.js';
import { noUsage } from '../../model/calls/usage.js';
import type { GatedRun, GateVerdict } from '../../model/gates/gate-verdict.js';
import { type Gate, judgeGate } from '../../model/gates/judge-gate.js';
import { isUnfinished } from '../../model/result.js';
import { lostScoresOf, lostScoresText } from '../../model/summary/lost-scores.js';
import type { CallControl } from '../../model-calls/call-limiter.js';
import type { Settings } from '../../settings/settings.js';
import type { StoredRun } from '../../store/stored-run.js';
import { countOf, renderCount } from '../../text/count-text.js';
import { mixedTexts } from '../../text/mixed-text.js';
import { scoreName } from '../../text/score-name.js';
import { renderDollars, unknownCostText, unknownTokensText } from '../../text/usage-text.js';
import { asTyped } from '../as-typed.js';
import { withFlags } from '../report/report-options.js';
import { coloursFor } from '../terminal/colour.js';
import { streamWidth } from '../terminal/stream-width.js';
import { escapeTerminal } from '../terminal/terminal-text.js';
import type { ParsedGates } from './gate-flags.js';
import type { BaselineComparison } from './run-baseline.js';

/** `rubricOf`: the version of the rubric by which people label a score of an evaluation now. */
export function judgeRun(
  { own, baseline }: ParsedGates,
  run: StoredRun,
  comparison: BaselineComparison | undefined,
  rubricOf: ReviewedRun['rubricOf'],
): GateVerdict[] {
  const verdicts = own.map((gate) => {
    const isCorrected = gate.kind === 'score' && gate.corrected !== undefined;
    const gated = isCorrected ? withReview(run, rubricOf) : run;
    const verdict = judgeGate(withOwnRate(gate, run), gated, comparison?.base);
    return unlessLost(gate, verdict, comparison);
  });
  const all = [...verdicts, ...(comparison?.judge(baseline) ?? [])];
  if (all.length === 0) return [];
  const mixed = mixedTexts(run.summary(), run.header.run_id).map(
    ({ text, mend }): GateVerdict => ({ verdict: 'cannot-tell', text: `${text}: ${mend}` }),
  );
  return [...all, ...mixed, ...lostVerdict(run), ...unfinishedVerdict(run)];
}

function withReview(run: StoredRun, rubricOf: ReviewedRun['rubricOf']): GatedRun {
  const { judgeOf } = run.judged();
  return { rows: run.rows, summary: () => run.summary(), judges: { judgeOf, rubricOf } };
}

/** The rubrics of a run, with the texts of the settings of its project as they are now. */
export function rubricsNow(
  run: StoredRun,
  { rubrics }: Pick<Settings, 'rubrics'>,
): ReviewedRun['rubricOf'] {
  return (evaluation, key) => run.rubricOf(evaluation, key, rubrics)?.version;
}

/** A run has one corrected rate: where the calibration was made of it, that by its own labels. */
function withOwnRate(gate: Gate, run: StoredRun): Gate {
  if (gate.kind !== 'score' || gate.corrected === undefined) return gate;
  if (gate.corrected.run_id !== run.runId) return gate;
  const { judges } = gate.corrected;
  const version = Object.hasOwn(judges, gate.key) ? judges[gate.key]?.rubric_version : undefined;
  const own = calibrateRun(run).judges.find(
    ({ key, rubric_version }) => key === gate.key && rubric_version === version,
  );
  return own?.corrected === undefined ? gate : { ...gate, ownRate: own.corrected };
}

/** What the stored form does not show, graders cannot judge. */
function lostVerdict({ rows }: StoredRun): GateVerdict[] {
  const lost = lostScoresOf(rows);
  if (lost === undefined) return [];
  return [{ verdict: 'cannot-tell', text: `${lostScoresText(lost)}: run again` }];
}

/** A rate or score that is high enough tells nothing where what lowered it is lost. */
function unlessLost(
  gate: Gate,
  verdict: GateVerdict,
  comparison: BaselineComparison | undefined,
): GateVerdict {
  if (comparison === undefined || verdict.verdict !== 'yes') return verdict;
  const { lost } = comparison;
  const texts = lostTexts({ ...lost, ...lostFor(gate, lost) });
  if (texts.length === 0) return verdict;
  const what = gate.kind === 'score' ? scoreName(gate.key) : 'pass rate';
  const text = `${what} cannot be judged: ${texts.join(', ')} (${verdict.text})`;
  return { verdict: 'cannot-tell', text };
}

/** The part of what is lost that a gate is about. */
function lostFor(gate: Gate, { verdicts, scores }: LostSummary) {
  if (gate.kind === 'pass-rate') return { verdicts, scores: scores.filter((one) => one.verdicts) };
  if (gate.kind !== 'score') return { verdicts: 0, scores: [] };
  const names = [gate.key, gate.key.replace(/\.(passed|value)$/, '')];
  return { verdicts: 0, scores: scores.filter(({ key }) => names.includes(key)) };
}

/** A run that has not ended is not judged by what it has. */
export function unfinishedVerdict(run: StoredRun): GateVerdict[] {
  const { unfinished, totals } = run.summary();
  if (unfinished === 0) return [];
  const have = unfinished === 1 ? 'has' : 'have';
  const all = totals.total_evaluations - (totals.total_pruned ?? 0);
  const text = `${renderCount(unfinished)} of ${countOf(all, 'result')} ${have} not finished`;
  return [{ verdict: 'cannot-tell', text }];
}

/**
 * Verdicts of exceeded or unknown cost limits of runs that are executed together; none if all were kept. `reference`: what
 * resumes them; `resumeFlags`: more flags for the rest.
 */
export function limitVerdicts(
  runs: readonly StoredRun[],
  calls: CallControl | undefined,
  reference: string,
  resumeFlags: string,
): GateVerdict[] {
  const [first] = runs;
  if (calls === undefined || first === undefined) return [];
  const { budget } = calls;
  const limits = calls.unjudged.map((kind) => unjudgedLimit(first, kind));
  if (budget === undefined) return limits;
  const { maxCost, spent } = budget;
  // A call whose answer nobody reads never ends.
  const unpriced =
    budget.unpriced || runs.reduce((sum, run) => sum + run.spentOfBudget.unpriced, 0);
  if (unpriced > 0 && spent < maxCost)
    return [...limits, unknownVerdict(first, { maxCost, spent, unpriced })];
  if (runs.every((run) => run.head().outcome !== 'budget')) return limits;
  const resume = { reference, flags: resumeFlags };
  return [...limits, stoppedVerdict(runs, spent, maxCost, resume)];
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

/** The verdict on a saved run that the budget stopped, as far as rows wait that are judged. */
export function savedBudgetVerdict(
  run: StoredRun,
  judged: readonly number[] | 'all',
): GateVerdict[] {
  const { outcome, max_cost: maxCost } = run.head();
  if (outcome !== 'budget') return [];
  if (judged !== 'all') {
    const waiting = new Set(waitingIn(run));
    if (!judged.some((index) => waiting.has(index))) return [];
  }
  const { cost: spent, unpriced } = run.spentOfBudget;
  const isUnknown = maxCost !== undefined && unpriced > 0 && spent < maxCost;
  return [
    isUnknown
      ? unknownVerdict(run, { maxCost, spent, unpriced })
      : stoppedVerdict([run], spent, maxCost, { reference: run.runId, flags: '' }),
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
  runs: readonly StoredRun[],
  spent: number,
  maxCost: number | undefined,
  { reference, flags }: Record<'reference' | 'flags', string>,
): GateVerdict {
  const cost = Number((Math.max(maxCost ?? 0, spent) * 2).toPrecision(3));
  const resume = withFlags(`assay run --resume ${reference} --max-cost ${cost}`, flags);
  const all = runs.reduce((sum, run) => sum + run.rows.length, 0);
  const waiting = runs.reduce((sum, run) => sum + waitingIn(run).length, 0);
  const text = [
    `stopped at the budget: ${renderDollars(spent)}${maxCost === undefined ? '' : ` of ${renderDollars(maxCost)}`}`,
    `${renderCount(all - waiting)} of ${renderCount(all)} ran, ${renderCount(waiting)} wait: ${resume}`,
  ].join(' · ');
  return { verdict: 'no', text };
}

function waitingIn({ refused: indices, rows }: StoredRun): number[] {
  const refused = new Set(indices);
  return rows.flatMap((row, index) => (refused.has(index) || isUnfinished(row) ? [index] : []));
}

/** Prints the comparison with the baseline, and a line for each verdict, on stderr. */
export function printVerdicts(
  verdicts: readonly GateVerdict[],
  comparison: BaselineComparison | undefined,
): void {
  const colours = coloursFor('stderr');
  if (comparison !== undefined) {
    const columns = streamWidth(process.stderr);
    process.stderr.write(`\n${comparison.text({ columns, colours })}\n\n`);
  }
  for (const { verdict, text } of verdicts) {
    process.stderr.write(`  ${renderVerdict(verdict, escapeTerminal(asTyped(text)), colours)}\n`);
  }
}

function renderVerdict(
  verdict: GateVerdict['verdict'],
  text: string,
  colours: ChalkInstance,
): string {
  if (verdict === 'yes') return colours.green(`✓ ${text}`);
  return verdict === 'no' ? colours.red(`✗ ${text}`) : colours.yellow(`? ${text} (exit code 2)`);
}
