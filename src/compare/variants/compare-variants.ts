import type { JsonObject } from '../../model/json.js';
import { ClusterNumbers, ClusterTotals } from '../../model/summary/cluster-totals.js';
import { ratesExpectedAgain } from '../../statistics/expected-again.js';
import { sumOf } from '../../statistics/sums.js';
import type { StoredRun } from '../../store/stored-run.js';
import { renderCount } from '../../text/count-text.js';
import { driftNotes } from '../../text/judge-drift-text.js';
import { latencyFigure, passFigure, type RateFigure } from '../cases/case-figures.js';
import { type CaseCost, caseCost, type EvalCase, passShare } from '../cases/eval-case.js';
import { alikePairs, fullPairs, testedPairs } from '../cases/pair-cases.js';
import { type MeasuredPairs, measuredPairs } from '../compare-cases.js';
import { labelRuns } from '../compare-runs.js';
import { type ComparedRun, ofStoredRun } from '../compared-run.js';
import { measureColumn, passMeasure } from '../differences/measure-columns.js';
import type { DrawOptions } from '../differences/paired-difference.js';
import { type JudgeDrift, judgeDrifts } from '../judge-drift.js';
import { type FamilyTest, judgeFamily, undecided } from '../significance/family.js';
import { type CommonCases, type FactorEffect, factorEffects } from './factor-effects.js';

/** A run as far as variants are compared by it. */
export type VariantRun = Pick<ComparedRun, 'head' | 'cases' | 'unfinished'>;

/** A variant − the base: pass rates over the cases that both have, shares from 0 to 1; plain JSON. */
export interface VariantDifference extends MeasuredPairs, FamilyTest {
  /** Cases of both whose results were carried over: they are not compared. */
  readonly carried: number;
  /** The scores whose judge is another one than in the base, or may be; absent for none. */
  readonly judges?: readonly DriftedJudge[];
}

/** A score whose judge is another one. */
interface DriftedJudge {
  readonly key: string;
  readonly judge_drift: JudgeDrift;
}

/** A run as one of several variants; plain JSON. */
export interface VariantFigures {
  readonly run_id: string;
  readonly run_name: string;
  /** The run name, preceded by the id if two runs have the same name. */
  readonly label: string;
  /** The params in effect; absent if they are not known. */
  readonly params?: JsonObject;
  /** Over all results of the run. */
  readonly pass_rate: RateFigure;
  /** Its family are those of all variants. Absent for the base. */
  readonly difference?: VariantDifference;
  /** `null` for a run that records no calls. */
  readonly cost: CaseCost | null;
  /** The median latency, in seconds; `null` if no result has one. */
  readonly p50: number | null;
  /**
   * No other variant passes as much at a lower cost, or more at no higher one, over the cases that all have. A variant of
   * unknown cost beats none, and is best only if no other passes more. Where only one variant has verdicts, none is best.
   */
  readonly is_best: boolean;
  /** The share that this variant, which passes most of four or more, is expected to pass when it runs again. See `ratesExpectedAgain`. */
  readonly expected_again?: number;
}

/** Runs of the same cases, compared with the first of them; plain JSON. */
export interface VariantComparison {
  /** The run id of the base. */
  readonly base: string;
  /** The base first, then the others in the given order. */
  readonly runs: readonly VariantFigures[];
  /** The cases with a verdict in every variant that has any: what `is_best`, `expected_again` and `factors` are over. */
  readonly common_cases: number;
  /** What each param does; absent unless the variants are all combinations of the values of several params. */
  readonly factors?: readonly FactorEffect[];
  /** What is to know of these figures, in sentences without a full stop. */
  readonly notes: readonly string[];
}

/**
 * Compares runs of the same cases with a base: differences as `compareCases` makes them, with Holm's correction over the
 * variants. The base is a run like the others, except that nothing is compared with it.
 */
export function compareVariants(
  base: VariantRun,
  others: readonly VariantRun[],
  options: DrawOptions = {},
): VariantComparison {
  const runs = [base, ...others];
  const labelOf = labelRuns(runs);
  const differences = judgedDifferences(base, others, options);
  const common = commonCases(runs.map(({ cases }) => cases));
  const front = isBestOf(common);
  const again = expectedAgain(common);
  const variants = runs.map((run, at): VariantFigures => {
    const { head, cases } = run;
    const { run_id, run_name, params } = head;
    const difference = differences[at - 1];
    return {
      ...{ run_id, run_name, label: labelOf(run) },
      ...(params && { params }),
      pass_rate: passFigure(cases),
      ...(difference && { difference }),
      cost: caseCost(cases),
      p50: latencyFigure(cases).p50,
      is_best: front[at] === true,
      ...(again?.best === at && { expected_again: again.rate }),
    };
  });
  const factors = factorEffects(
    runs.map(({ head }) => head.params),
    common,
  );
  return {
    base: base.head.run_id,
    runs: variants,
    common_cases: common.count,
    ...(factors.length > 0 && { factors }),
    notes: notesOf(runs, variants, common.count),
  };
}

/** Compares the runs of a group with the first of them. */
export function compareGroup(runs: readonly StoredRun[]): VariantComparison {
  const [base, ...others] = runs.map(ofStoredRun);
  if (base === undefined) throw new Error('a group has a run');
  return compareVariants(base, others);
}

function judgedDifferences(
  base: VariantRun,
  others: readonly VariantRun[],
  options: DrawOptions,
): VariantDifference[] {
  const differences = others.map(({ cases }) => {
    const full = fullPairs(base.cases, cases);
    const pairs = alikePairs(testedPairs(full));
    const column = measureColumn(pairs, passMeasure);
    const judges = [...judgeDrifts(testedPairs(full))].map(([key, judge_drift]) => ({
      ...{ key, judge_drift },
    }));
    return {
      ...measuredPairs(pairs, column, passMeasure, options),
      carried: full.length - pairs.length,
      ...(judges.length > 0 && { judges }),
    };
  });
  const judged = judgeFamily(differences);
  return differences.map((one, at) => ({ ...one, ...(judged[at] ?? undecided) }));
}

/** A run without verdicts, such as one of which a file could not be imported, leaves what the others have in common. */
function commonCases(runs: readonly (readonly EvalCase[])[]): CommonCases {
  const judged = runs.filter((cases) => cases.some((one) => one.judged > 0));
  const finders = judged.map(judgedFinder);
  const rows = (judged[0] ?? []).flatMap(({ id }, at) => {
    const row = finders.flatMap((find) => find(id, at) ?? []);
    return row.length === finders.length ? [row] : [];
  });
  const columns = new Map(
    judged.map((cases, at) => [cases, rows.flatMap((row) => row[at] ?? [])] as const),
  );
  const clusters = new ClusterNumbers();
  const units = rows.map((row) => clusters.of(row.find(({ cluster }) => cluster) ?? {}));
  return {
    of: runs.map((cases) => columns.get(cases) ?? []),
    count: rows.length,
    units: clusters.count < rows.length ? units : undefined,
    fewestTrials: rows.flat().reduce((least, { judged: of }) => Math.min(least, of), Infinity),
  };
}

/** Finds a case with a verdict by its id, and first where it mostly is. */
function judgedFinder(cases: readonly EvalCase[]) {
  let byId: ReadonlyMap<string, EvalCase> | undefined;
  return (id: string, at: number): EvalCase | undefined => {
    let found = cases[at];
    if (found?.id !== id) {
      byId ??= new Map(cases.map((one) => [one.id, one]));
      found = byId.get(id);
    }
    return found !== undefined && found.judged > 0 ? found : undefined;
  };
}

/** A variant over the common cases. */
interface Point {
  readonly rate: number;
  /** `undefined` if unknown, or known in part. */
  readonly cost: number | undefined;
}

/** Sums of prices differ by rounding. */
const rounding = 1e-9;

function isBestOf({ of }: CommonCases): boolean[] {
  const points = of.map(pointOf);
  // One that is compared with none is not the best of them.
  if (points.filter((point) => point !== undefined).length < 2) return points.map(() => false);
  return points.map((one) => one !== undefined && !points.some((two) => two && beats(two, one)));
}

function pointOf(cases: readonly EvalCase[]): Point | undefined {
  const { passed, total } = passFigure(cases);
  if (total === 0) return undefined;
  const cost = caseCost(cases);
  const isKnown = cost !== null && cost.unknown === 0;
  return { rate: passed / total, cost: (isKnown ? cost.per_case : null) ?? undefined };
}

function beats(one: Point, other: Point): boolean {
  if (other.cost === undefined) return one.rate > other.rate;
  if (one.cost === undefined || one.cost > other.cost * (1 + rounding)) return false;
  const isCheaper = one.cost < other.cost * (1 - rounding);
  return one.rate > other.rate || (isCheaper && one.rate === other.rate);
}

/** The position of the variant that passes most, and the share that it is expected to pass again. */
function expectedAgain({
  of,
  units,
}: CommonCases): { readonly best: number; readonly rate: number } | undefined {
  const judged = [...of.keys()].filter((at) => (of[at] ?? []).length > 0);
  const expected = ratesExpectedAgain(judged.map((at) => unitRates(of[at] ?? [], units)));
  const rateOf = (at: number) => pointOf(of[at] ?? [])?.rate ?? 0;
  const best = judged.reduce((a, b) => (rateOf(b) > rateOf(a) ? b : a), judged[0] ?? 0);
  const rate = expected?.[judged.indexOf(best)];
  return rate === undefined ? undefined : { best, rate };
}

/** The mean pass share of each case, or of each cluster of cases. */
function unitRates(cases: readonly EvalCase[], units: CommonCases['units']): number[] {
  const totals = new ClusterTotals();
  for (const [at, evalCase] of cases.entries()) {
    totals.add(units?.[at] ?? at, passShare(evalCase) ?? 0);
  }
  return totals.sums.map((sum, at) => sum / (totals.counts[at] ?? 1));
}

/** What is to know of the figures, each for all variants together: `errors, which have not passed: 6 of large, 2 of swift`. */
function notesOf(
  runs: readonly VariantRun[],
  variants: readonly VariantFigures[],
  common: number,
): string[] {
  const note = (what: string, of: (variant: VariantFigures, run: VariantRun) => number) => {
    const counts = variants.map((variant, at) => of(variant, runs[at] as VariantRun));
    const [first = 0] = counts;
    if (first > 0 && counts.every((count) => count === first)) {
      return [`${what}: ${renderCount(first)} of each`];
    }
    const texts = counts.flatMap((count, at) =>
      count > 0 ? [`${renderCount(count)} of ${variants[at]?.label}`] : [],
    );
    return texts.length === 0 ? [] : [`${what}: ${texts.join(', ')}`];
  };
  return [
    ...coverageNotes(runs, variants, common),
    ...note('results that have not finished', (_, { unfinished }) => unfinished),
    ...note('errors, which have not passed', (_, { cases }) =>
      sumOf(cases.map(({ errors = 0 }) => errors)),
    ),
    ...note('cases carried over, so not compared', ({ difference }) => difference?.carried ?? 0),
    ...variants.flatMap(({ label, difference: { not_tested: why } = {} }) =>
      why === undefined ? [] : [`${label} is not tested: ${why}`],
    ),
    ...note('cases with calls of unknown cost', ({ cost }) => cost?.unknown ?? 0),
    ...note(
      'cases with replayed calls, at what they cost when recorded',
      ({ cost }) => cost?.replayed ?? 0,
    ),
    ...silentNote(runs, variants),
    ...judgeNotes(runs, variants),
  ];
}

/** Which variants have other judges than the base: `large v15, swift v15: tone: judge changed (…): assay run --regrade …`. */
function judgeNotes(runs: readonly VariantRun[], variants: readonly VariantFigures[]): string[] {
  const { run_id = '', state } = runs[0]?.head ?? {};
  const labels = new Map<string, string[]>();
  for (const { label, difference } of variants) {
    for (const text of driftNotes(difference?.judges ?? [], run_id, state === null)) {
      labels.set(text, [...(labels.get(text) ?? []), label]);
    }
  }
  return [...labels].map(([text, names]) => `${names.join(', ')}: ${text}`);
}

/** Which variants have verdicts on other cases than the others. */
function coverageNotes(
  runs: readonly VariantRun[],
  variants: readonly VariantFigures[],
  common: number,
): string[] {
  const counts = runs.map(({ cases }, at) => ({
    label: variants[at]?.label ?? '',
    judged: cases.filter((one) => one.judged > 0).length,
  }));
  const without = counts.filter(({ judged }) => judged === 0).map(({ label }) => label);
  const withAny = counts.filter(({ judged }) => judged > 0);
  const listed = withAny.map(({ label, judged }) => `${renderCount(judged)} of ${label}`);
  return [
    ...(without.length > 0 ? [`no verdicts: ${without.join(', ')}`] : []),
    ...(withAny.some(({ judged }) => judged !== common)
      ? [
          `cases with a verdict: ${listed.join(', ')}; ◆, the effects of params and the expected rate are over the ${renderCount(common)} that all have`,
        ]
      : []),
  ];
}

/** The variants without a cost, where others have one: they made no calls, or are baseline files of an older version. */
function silentNote(runs: readonly VariantRun[], variants: readonly VariantFigures[]): string[] {
  if (variants.every(({ cost }) => cost === null)) return [];
  const silent = variants.filter(
    ({ cost }, at) => cost === null && runs[at]?.cases.some(({ trials }) => trials > 0),
  );
  return silent.length === 0
    ? []
    : [`no calls recorded: ${silent.map(({ label }) => label).join(', ')}`];
}
