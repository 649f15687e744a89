import type { DeclaredScale } from '../../model/scores/score-limits.js';
import { ClusterNumbers, ClusterTotals } from '../../model/summary/cluster-totals.js';
import { latencyFigures } from '../../model/summary/run-figures.js';
import { ScoreValues } from '../../model/summary/score-values.js';
import type { Estimate } from '../../statistics/bounds.js';
import { clusteredMean } from '../../statistics/clustered-mean.js';
import { clusteredRate } from '../../statistics/clustered-share.js';
import { type Percentiles, percentile } from '../../statistics/percentile.js';
import { sumOf } from '../../statistics/sums.js';
import { isUnbounded } from '../../statistics/value-scale.js';
import {
  addValues,
  type EvalCase,
  latenciesOf,
  meanValueOf,
  scoreOf,
  squaresOf,
  verdictsOf,
} from './eval-case.js';
import { type KeyFacts, scoreFacts } from './score-facts.js';

/** A share of passes; plain JSON. */
export interface RateFigure {
  readonly passed: number;
  readonly total: number;
  /** `null` when nothing has a verdict. */
  readonly rate: Estimate | null;
}

/**
 * The verdicts (`ratio`) or the values (`avg`) of one score of a run over its cases; plain JSON. A score with both has
 * two figures, the one that stands for it first: its verdicts if an evaluator gave any, else its values.
 */
export type ScoreFigure =
  | ({
      readonly key: string;
      readonly type: 'ratio';
      /** The verdicts in `total` that a threshold derived from values; absent for none. */
      readonly derived?: number;
    } & RateFigure)
  | {
      readonly key: string;
      readonly type: 'avg';
      readonly count: number;
      readonly mean: Estimate | null;
      /** Over all trials; only for unbounded values, whose mean has no interval and is not shown. */
      readonly percentiles?: Percentiles;
      /** Absent if none was declared. */
      readonly scale?: DeclaredScale;
    };

/** The figures of a run over its cases; plain JSON. */
export interface CaseFigures {
  readonly units: number;
  /** Cases with a finished trial. */
  readonly finished: number;
  /** How many independent units intervals are over: clusters, and cases without one; absent if no case has a cluster. */
  readonly clusters?: number;
  /** True if all cases with several trials have the same output and scores in each, as from a response cache. */
  readonly trials_alike?: true;
  readonly pass_rate: RateFigure;
  /** In order of first appearance, like the chips of a run. */
  readonly scores: readonly ScoreFigure[];
  /** Seconds, over all trials that have a latency; `null` when none has. */
  readonly latency: {
    readonly count: number;
    readonly p5: number | null;
    readonly p50: number | null;
    readonly p95: number | null;
  };
}

/**
 * Computes the figures of a run: the counts of its summary, with 95 % intervals that treat the trials of a case,
 * or of a cluster of cases, as one unit. See `clusteredRate` and `clusteredMean`.
 */
export function figuresOf(cases: readonly EvalCase[]): CaseFigures {
  const units = new ClusterNumbers();
  for (const evalCase of cases) units.of(evalCase);
  return {
    units: cases.length,
    finished: cases.reduce((count, { trials }) => (trials > 0 ? count + 1 : count), 0),
    ...(units.hasClusters && { clusters: units.count }),
    ...(haveAlikeTrials(cases) && { trials_alike: true }),
    pass_rate: passFigure(cases),
    scores: scoreFigures(cases),
    latency: latencyFigure(cases),
  };
}

/** The pass rate of cases: errors have not passed. */
export function passFigure(cases: readonly EvalCase[]): RateFigure {
  return rateFigure(collect(cases, (evalCase, add) => add(evalCase.passes, evalCase.judged)));
}

/** True if all cases with several trials have the same output and scores in each. */
export function haveAlikeTrials(cases: readonly EvalCase[]): boolean {
  const several = cases.filter(({ trials }) => trials > 1);
  return several.length > 0 && several.every(({ alike }) => alike === true);
}

/** Adds up what cases have, by unit. */
function collect(
  cases: readonly EvalCase[],
  read: (evalCase: EvalCase, add: (sum: number, count: number, squares?: number) => void) => void,
): ClusterTotals {
  const totals = new ClusterTotals();
  const units = new ClusterNumbers();
  for (const evalCase of cases) {
    const unit = units.of(evalCase);
    read(evalCase, (sum, count, squares) => {
      if (count > 0) totals.add(unit, sum, count, squares);
    });
  }
  return totals;
}

function rateFigure({ sums, counts }: ClusterTotals): RateFigure {
  return { passed: sumOf(sums), total: sumOf(counts), rate: clusteredRate(sums, counts) };
}

function scoreFigures(cases: readonly EvalCase[]): ScoreFigure[] {
  return [...scoreFacts(cases)].flatMap(([key, facts]) => figuresOfKey(cases, key, facts));
}

/** The figure that stands for a score; `undefined` without the score. */
export function scoreFigureOf(cases: readonly EvalCase[], key: string): ScoreFigure | undefined {
  const facts = scoreFacts(cases).get(key);
  return facts && figuresOfKey(cases, key, facts)[0];
}

function figuresOfKey(
  cases: readonly EvalCase[],
  key: string,
  { hasGiven, hasVerdicts, hasValues }: KeyFacts,
): ScoreFigure[] {
  const verdicts = hasVerdicts ? [verdictFigure(cases, key)] : [];
  const values = hasValues ? [valueFigure(cases, key)] : [];
  return hasGiven ? [...verdicts, ...values] : [...values, ...verdicts];
}

function verdictFigure(cases: readonly EvalCase[], key: string): ScoreFigure {
  let derived = 0;
  const totals = collect(cases, (evalCase, add) => {
    const score = scoreOf(evalCase, key);
    const verdicts = score && verdictsOf(score);
    if (verdicts === undefined) return;
    add(verdicts.passes, verdicts.of);
    derived += score?.derived?.of ?? 0;
  });
  return { key, type: 'ratio', ...rateFigure(totals), ...(derived > 0 && { derived }) };
}

function valueFigure(cases: readonly EvalCase[], key: string): ScoreFigure {
  const values = new ScoreValues();
  const { sums, counts, squares } = collect(cases, (evalCase, add) => {
    const score = scoreOf(evalCase, key);
    const mean = score ? meanValueOf(score) : null;
    if (score === undefined || mean === null) return;
    const count = score.values?.length ?? score.count;
    add(score.values === undefined ? score.sum : mean * count, count, squaresOf(score));
    addValues(score, values);
  });
  const { scale } = values;
  const mean = clusteredMean(sums, counts, scale, squares);
  return {
    key,
    type: 'avg',
    count: sumOf(counts),
    mean,
    ...(isUnbounded(scale) && { percentiles: values.percentiles() }),
    ...(scale.isDeclared && { scale: [scale.low, scale.high] as const }),
  };
}

/** Percentiles over all trials of cases. */
export function latencyFigure(cases: readonly EvalCase[]): CaseFigures['latency'] {
  const sorted = sortedLatenciesOf(cases);
  return { ...latencyFigures(sorted), p5: percentile(sorted, 0.05) };
}

/** The latencies of all trials of cases, ascending. */
export function sortedLatenciesOf(cases: readonly EvalCase[]): Float64Array {
  const latencies: number[] = [];
  for (const evalCase of cases) {
    for (const latency of latenciesOf(evalCase)) latencies.push(latency);
  }
  const sorted = Float64Array.from(latencies).sort();
  return sorted;
}
