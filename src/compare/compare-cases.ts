import { eachInSteps, finish, type Steps } from '../model/steps.js';
import { ScoreValues } from '../model/summary/score-values.js';
import type { Percentiles } from '../statistics/percentile.js';
import { isUnbounded, ScaleFinder } from '../statistics/value-scale.js';
import { type ChangeCounts, countChanges } from './cases/change.js';
import { addValues, type CaseScore, type EvalCase, scoreOf } from './cases/eval-case.js';
import { type LostSummary, lostSummary } from './cases/lost-scores.js';
import {
  alikePairs,
  type CasePair,
  type FullPair,
  isFullPair,
  pairCases,
  testedPairs,
} from './cases/pair-cases.js';
import { type KeyFacts, scoreFacts } from './cases/score-facts.js';
import { measureNameOf } from './cases/score-measures.js';
import {
  type LatencyDifference,
  latencyDifference,
  type UsageDifference,
  usageDifference,
} from './differences/amount-difference.js';
import {
  isSameColumn,
  type Measure,
  type MeasureColumn,
  measureColumn,
  passMeasure,
  trialPairs,
  valueMeasure,
  verdictMeasure,
} from './differences/measure-columns.js';
import {
  type DrawOptions,
  type PairedDifference,
  pairedDifference,
} from './differences/paired-difference.js';

/** The pass rate or a score in two runs; plain JSON. */
export interface MeasureDifference extends PairedDifference {
  /** Cases of both runs that have the measure in only one of them; not counted elsewhere. */
  readonly only_base: number;
  readonly only_other: number;
}

/**
 * The verdicts or the values of one score key in two runs; plain JSON. A score with both in both runs has two entries,
 * the one that stands for it first: its verdicts if an evaluator gave any, else its values.
 */
export interface ScoreDifference extends MeasureDifference {
  readonly key: string;
  /** The key, and `KEY (value)` or `KEY (passed)` for what stands beside it. */
  readonly name: string;
  /**
   * `ratio`: by verdicts. `avg`: by values. `mixed`: one run has only verdicts, the other only values, so there are
   * no pairs.
   */
  readonly type: 'ratio' | 'avg' | 'mixed';
  /** False for values beside verdicts that an evaluator gives: the verdict is what gates judge. */
  readonly gated: boolean;
  /** The direction of an improvement: of passes `higher`, of values according to the other run, else to the base. */
  readonly better: 'higher' | 'lower';
  /** True when the score has the same values as the pass rate in every case, so it is not tested separately. */
  readonly same_as_pass_rate: boolean;
  /**
   * Over all trials of the pairs; only if the values of the two runs together are unbounded. The difference of
   * means then has no interval.
   */
  readonly percentiles?: { readonly base: Percentiles; readonly other: Percentiles };
}

/** The differences between two runs; plain JSON. */
export interface ComparisonSummary {
  readonly changes: ChangeCounts;
  /** Cases of both runs whose results were carried over: they are left out of all differences and tests. */
  readonly carried: number;
  /** What cases of both runs had in the base and no longer have. */
  readonly lost: LostSummary;
  /** Shares from 0 to 1. */
  readonly pass_rate: MeasureDifference;
  /** In order of first appearance, first those of the base. */
  readonly scores: readonly ScoreDifference[];
  /** Seconds. */
  readonly latency: LatencyDifference;
  /** Absent unless both runs made calls of models. */
  readonly usage?: UsageDifference;
}

/** Two runs compared. */
export interface Comparison {
  readonly summary: ComparisonSummary;
  /** All cases: in the order of the base, then those that only the other run has. */
  readonly pairs: readonly CasePair[];
}

/**
 * Compares a run with a base, case by case. All differences are other − base, over the cases that have the measure
 * in both runs and was not carried over; the value of a case is its mean over finished trials. The order of cases does
 * not matter.
 */
export function compareCases(
  base: readonly EvalCase[],
  other: readonly EvalCase[],
  options: DrawOptions = {},
): Comparison {
  return finish(comparison(base, other, options));
}

/** `compareCases` in steps. */
export function* comparison(
  base: readonly EvalCase[],
  other: readonly EvalCase[],
  options: DrawOptions = {},
): Steps<Comparison> {
  const pairs = yield* pairCases(base, other);
  const paired = pairs.filter(isFullPair);
  const full = testedPairs(paired);
  const alike = alikePairs(full);
  const passes = yield* measureColumn(alike, passMeasure);
  // A regrade keeps the latency of the attempt.
  const fresh = full.filter(({ shared }) => shared === undefined);
  const usage = yield* usageDifference(fresh);
  const summary = {
    changes: countChanges(pairs.map(({ change }) => change)),
    carried: paired.length - full.length,
    lost: lostSummary(full, new Set(other.flatMap(({ scores }) => scores.map(({ key }) => key)))),
    pass_rate: yield* measureDifference(alike, passes, passMeasure, options),
    scores: yield* compareScores(base, other, full, passes, options),
    latency: yield* latencyDifference(fresh),
    ...(usage && { usage }),
  };
  return { summary, pairs };
}

/** Compares one measure over pairs; `column` is that measure of these pairs. */
export function* measureDifference(
  pairs: readonly FullPair[],
  column: MeasureColumn,
  measure: Measure,
  options: DrawOptions,
): Steps<MeasureDifference> {
  const trials = () => trialPairs(pairs, column, measure);
  return {
    ...(yield* pairedDifference(column, trials, options)),
    only_base: column.onlyBase,
    only_other: column.onlyOther,
  };
}

/** The scales of values by score key. */
type Scales = Map<string, ScaleFinder>;

function scaleOf(key: string, scales: Scales): ScaleFinder {
  const known = scales.get(key);
  if (known !== undefined) return known;
  const finder = new ScaleFinder();
  scales.set(key, finder);
  return finder;
}

type ScoreLine = Pick<ScoreDifference, 'type' | 'name' | 'gated'>;

/** What is compared of a score: verdicts and values, each if both runs have them. */
function linesOf(
  key: string,
  was: KeyFacts | undefined,
  is: KeyFacts | undefined,
): readonly ScoreLine[] {
  const [one, two] = [was ?? is, is ?? was];
  const hasGiven = one?.hasGiven === true || two?.hasGiven === true;
  const hasVerdicts = one?.hasVerdicts === true && two?.hasVerdicts === true;
  const line = (type: ScoreDifference['type'], gated: boolean): ScoreLine => ({
    type,
    name: measureNameOf(key, type, hasGiven),
    gated,
  });
  const verdicts = hasVerdicts ? [line('ratio', true)] : [];
  // Which values are better beside a given verdict is for the evaluator to say, by that verdict.
  const values = one?.hasValues && two?.hasValues ? [line('avg', !(hasGiven && hasVerdicts))] : [];
  const lines = hasGiven ? [...verdicts, ...values] : [...values, ...verdicts];
  return lines.length === 0 ? [line('mixed', false)] : lines;
}

function* compareScores(
  base: readonly EvalCase[],
  other: readonly EvalCase[],
  full: readonly FullPair[],
  passes: MeasureColumn,
  options: DrawOptions,
): Steps<ScoreDifference[]> {
  const scales: Scales = new Map();
  const addTo = (score: CaseScore) => addValues(score, scaleOf(score.key, scales));
  const before = yield* scoreFacts(base, addTo);
  const after = yield* scoreFacts(other, addTo);
  const scores: ScoreDifference[] = [];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(key), after.get(key)];
    const { scale } = scaleOf(key, scales);
    for (const line of linesOf(key, was, is)) {
      const { type } = line;
      const measure = type === 'avg' ? valueMeasure(key, scale) : verdictMeasure(key);
      const column = yield* measureColumn(type === 'mixed' ? [] : full, measure);
      scores.push({
        key,
        ...line,
        better: type === 'ratio' ? 'higher' : ((is ?? was)?.better ?? 'higher'),
        same_as_pass_rate: column.at.length > 0 && isSameColumn(column, passes),
        ...(yield* measureDifference(full, column, measure, options)),
        ...(type === 'avg' &&
          isUnbounded(scale) && { percentiles: yield* percentilesOf(full, column, key) }),
      });
    }
  }
  return scores;
}

/** The percentiles of the values of a score in both runs, over the pairs of a column. */
function* percentilesOf(
  pairs: readonly FullPair[],
  { at }: MeasureColumn,
  key: string,
): Steps<NonNullable<ScoreDifference['percentiles']>> {
  const [base, other] = [new ScoreValues(), new ScoreValues()];
  const add = (evalCase: EvalCase | undefined, values: ScoreValues) => {
    const score = evalCase && scoreOf(evalCase, key);
    if (score !== undefined) addValues(score, values);
  };
  yield* eachInSteps(at, (position) => {
    add(pairs[position]?.base, base);
    add(pairs[position]?.other, other);
  });
  return { base: base.percentiles(), other: other.percentiles() };
}
