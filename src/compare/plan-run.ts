import { hasCalls, usageWithTaken } from '../model/calls/run-usage.js';
import { isUnfinished } from '../model/result.js';
import { meanOf } from '../statistics/sums.js';
import { haveAlikeTrials } from './cases/case-figures.js';
import { type EvalCase, passShare } from './cases/eval-case.js';
import { compareCases } from './compare-cases.js';
import type { ComparedHead, ComparedRun } from './compared-run.js';
import { casesIn, enoughSizes } from './power/plan-sizes.js';
import type { DropForm, TrialsOfCases } from './power/planned-power.js';
import { type PlannedTests, plannedTests } from './power/planned-tests.js';

/** What a run costs: plain JSON. */
interface PlannedCost {
  /** US dollars; `null` if no call has a known price. */
  readonly dollars: number | null;
  /** True if some calls have no known price, so that it costs more. */
  readonly is_lower_bound: boolean;
}

/** The size of a run: plain JSON. */
export interface PlannedSize {
  readonly evaluations: number;
  /** Results with a verdict: all trials of all evaluations. */
  readonly results: number;
  /** Fewest and most trials of an evaluation. */
  readonly trials: readonly [least: number, most: number];
  /** By what the results of the saved run used; absent if it made no calls of models. */
  readonly cost?: PlannedCost;
}

/** The sizes that find a drop 4 times in 5: plain JSON. */
interface SizesForDrop {
  /** With as many trials as now; `null` if not even a million evaluations are enough. */
  readonly evaluations: PlannedSize | null;
  /** With as many evaluations as now; `null` if not even 100 trials are enough. */
  readonly trials: PlannedSize | null;
}

/** A figure for each way in which a system gets worse. */
type ByForm<Of> = { readonly [Form in DropForm]: Of };

/** What runs of the size of one can find: plain JSON. All drops are shares, 0 to 1. */
export interface RunPlan extends Pick<ComparedHead, 'run_id' | 'run_name'> {
  /** Evaluations with each of their cases. */
  readonly size: PlannedSize;
  /** Results of the run that have not finished; `size` counts them as if they were like the others. */
  readonly unfinished: number;
  /** Finished evaluations without a verdict, which `size` leaves out. */
  readonly without_verdict: number;
  /** Results that are errors, which count as not passed; `null` if unknown. */
  readonly errors: number | null;
  /** Of the evaluations, where some share one: nothing is known then of what is found. */
  readonly clusters?: number;
  /** Mean over evaluations of the share that passed; `null` without verdicts. */
  readonly pass_rate: number | null;
  /** How much the results of evaluations differ, and those of the trials of one; `null` without trials. */
  readonly variance: { readonly between: number; readonly within: number } | null;
  /** True without trials: how results vary is then unknown, and drops and sizes are those of the worst case. */
  readonly is_worst_case: boolean;
  /** Present if all trials repeat one answer, as from a response cache: more of them then say nothing more. */
  readonly trials_alike?: true;
  /** The smallest drop of the pass rate that is found 4 times in 5; `null` if none is. */
  readonly finds: ByForm<number | null>;
  /** For a wanted drop. */
  readonly wanted?: ByForm<SizesForDrop> & { readonly drop: number };
}

/**
 * What two runs like this one find with the test of `--fail-on regression`, and which sizes find a drop of the pass rate
 * (above 0 to 1). See `findsPlanned`, and docs/statistics.md.
 */
export function planRun(run: ComparedRun, drop?: number): RunPlan {
  const { head, cases } = run;
  const waiting = unfinishedTrials(run);
  const trialsOf = ({ id, judged }: EvalCase) => judged + (waiting.get(id) ?? 0);
  const judged = cases.filter((one) => one.judged > 0).map(freshDraw);
  const groups = judged.length === 0 ? [] : groupsOf(cases.map(trialsOf));
  const { summary } = compareCases(judged, judged, { draws: 100 });
  const { clusters, base: passRate } = summary.pass_rate;
  const canTell = clusters === undefined && passRate !== null && passRate > 0;
  const tests = canTell ? plannedTests(judged, summary) : findsNothing;
  const variance = varianceOf(judged);
  const sizeOf = sizer(run);
  return {
    ...{ run_id: head.run_id, run_name: head.run_name, size: sizeOf(groups) },
    unfinished: run.unfinished,
    without_verdict: cases.filter((one) => one.trials > 0 && trialsOf(one) === 0).length,
    errors: judged.reduce<number | null>((sum, { errors }) => {
      return sum === null || errors === undefined ? null : sum + errors;
    }, 0),
    ...(clusters !== undefined && { clusters }),
    ...{ pass_rate: passRate, variance, is_worst_case: variance === null && judged.length > 0 },
    ...(haveAlikeTrials(judged) && { trials_alike: true }),
    finds: byForm((form) => tests.smallestDrop(groups, form)),
    ...(drop !== undefined && {
      wanted: { drop, ...byForm((form) => wantedSizes(groups, { tests, form, drop }, sizeOf)) },
    }),
  };
}

const findsNothing: PlannedTests = { isFound: () => false, smallestDrop: () => null };

function byForm<Of>(of: (form: DropForm) => Of): ByForm<Of> {
  return { alike: of('alike'), broken: of('broken') };
}

function wantedSizes(
  groups: readonly TrialsOfCases[],
  {
    tests,
    form,
    drop,
  }: { readonly tests: PlannedTests; readonly form: DropForm; readonly drop: number },
  sizeOf: (groups: readonly TrialsOfCases[]) => PlannedSize,
): SizesForDrop {
  const { cases, trials } = enoughSizes(groups, (sizes) => tests.isFound(sizes, form, drop));
  return { evaluations: cases && sizeOf(cases), trials: trials && sizeOf(trials) };
}

/** The same case, as if it had run again. */
function freshDraw({ draw: _, graded: __, ...evalCase }: EvalCase): EvalCase {
  return evalCase;
}

/** By case id. */
function unfinishedTrials(run: ComparedRun): Map<string, number> {
  const counts = new Map<string, number>();
  if (run.unfinished === 0) return counts;
  for (const [id, rows] of run.rowsOf(new Set(run.cases.map((one) => one.id)))) {
    counts.set(id, rows.filter(({ row }) => isUnfinished(row)).length);
  }
  return counts;
}

/** Ascending by trials. */
function groupsOf(trials: readonly number[]): TrialsOfCases[] {
  const counts = new Map<number, number>();
  for (const of of trials) if (of > 0) counts.set(of, (counts.get(of) ?? 0) + 1);
  return [...counts]
    .map(([of, cases]) => ({ trials: of, cases }))
    .sort((a, b) => a.trials - b.trials);
}

/**
 * One-way analysis of variance (Searle, Casella and McCulloch 1992, "Variance Components", chapter 3): the mean variance of
 * the trials of a case, and the variance of the means of cases less what it has of that.
 */
function varianceOf(cases: readonly EvalCase[]): RunPlan['variance'] {
  const several = cases.filter(({ judged }) => judged > 1);
  if (several.length === 0) return null;
  const shares = several.map((one) => passShare(one) ?? 0);
  const noise = several.map(({ judged }, i) => {
    const share = shares[i] ?? 0;
    return (share * (1 - share)) / (judged - 1);
  });
  const mean = meanOf(shares);
  const spread =
    shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / Math.max(1, several.length - 1);
  return {
    between: Math.max(0, spread - meanOf(noise)),
    within: meanOf(noise.map((of, i) => of * (several[i]?.judged ?? 0))),
  };
}

/** Sizes with their cost: results cost as much as those of the run did when they ran. */
function sizer({ head, cases }: ComparedRun): (groups: readonly TrialsOfCases[]) => PlannedSize {
  const finished = cases.reduce((sum, { trials }) => sum + trials, 0);
  const usage = hasCalls(head.usage) && finished > 0 ? head.usage : undefined;
  const used = usage && usageWithTaken(usage);
  const beside = [usage?.replaced, usage?.unlisted];
  const less = (of: 'cost' | 'unpriced') =>
    beside.reduce((sum, part) => sum + (part?.[of] ?? 0), 0);
  const dollars =
    used && used.cost !== null ? Math.max(0, used.cost - less('cost')) / finished : null;
  const isLowerBound = (used?.unpriced ?? 0) > less('unpriced');
  return (groups) => {
    const results = groups.reduce((sum, one) => sum + one.cases * one.trials, 0);
    const trials = groups.map((one) => one.trials);
    return {
      ...{ evaluations: casesIn(groups), results },
      trials: [trials[0] ?? 0, trials.at(-1) ?? 0],
      ...(used && {
        cost: {
          dollars: dollars === null ? null : dollars * results,
          is_lower_bound: isLowerBound,
        },
      }),
    };
  };
}
