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
import { type JudgeDrift, judgeDrifts } from './judge-drift.js';
import { detectableChange, type Wanted } from './power/detectable.js';
import { type FamilyTest, judgeFamily, undecided } from './significance/family.js';

/** A measure in two runs, tested by itself; plain JSON. */
export interface MeasuredPairs extends PairedDifference {
  /** Cases of both runs that have the measure in only one of them; not counted elsewhere. */
  readonly only_base: number;
  readonly only_other: number;
}

/** The pass rate or a score in two runs, tested as one of all measures; plain JSON. */
export interface MeasureDifference extends MeasuredPairs, FamilyTest {
  /**
   * The smallest change for the worse that such a comparison finds with 80 % power, given the other measures; the base
   * itself if only the loss of all is found; `null` if not even that is, if unknown, and for what is not judged.
   */
  readonly detectable: number | null;
}

/** What distinguishes the difference of a score; plain JSON. */
interface ScoreFacts {
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
  /** The judge of the score is another one in the other run, or may be; absent if nothing says so. */
  readonly judge_drift?: JudgeDrift;
}

/**
 * The verdicts or the values of one score key in two runs; plain JSON. A score with both in both runs has two entries,
 * the one that stands for it first: its verdicts if an evaluator gave any, else its values.
 */
export interface ScoreDifference extends MeasureDifference, ScoreFacts {}

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

/** How runs are compared. */
interface CompareOptions extends DrawOptions {
  /** `false` leaves out the detectable changes, which take most of the time; they are then `null`. */
  readonly detectable?: false;
}

/**
 * Compares a run with a base, case by case. All differences are other − base, over the cases that have the measure
 * in both runs and was not carried over; the value of a case is its mean over finished trials. The order of cases does
 * not matter.
 */
export function compareCases(
  base: readonly EvalCase[],
  other: readonly EvalCase[],
  options: CompareOptions = {},
): Comparison {
  const pairs = pairCases(base, other);
  const paired = pairs.filter(isFullPair);
  const full = testedPairs(paired);
  const alike = alikePairs(full);
  const passes = measureColumn(alike, passMeasure);
  // A regrade keeps the latency of the attempt.
  const fresh = full.filter(({ shared }) => shared === undefined);
  const usage = usageDifference(fresh);
  const passRate = measured(alike, passes, passMeasure, 'higher', options);
  const scores = compareScores(base, other, full, passes, options);
  const summary = {
    changes: countChanges(pairs.map(({ change }) => change)),
    carried: paired.length - full.length,
    lost: lostSummary(full, new Set(other.flatMap(({ scores }) => scores.map(({ key }) => key)))),
    ...judgeMeasures(passRate, scores),
    latency: latencyDifference(fresh),
    ...(usage && { usage }),
  };
  return { summary, pairs };
}

/** A measure of a comparison: its difference by itself, and the smallest change that its test finds in its family. */
interface Measured<T extends MeasuredPairs> {
  readonly difference: T;
  readonly detectable: (family: Pick<Wanted, 'others' | 'isChanged'>) => number | null;
}

/**
 * Judges all measures as one family. A score that repeats the pass rate is the same test; what no gate judges is none
 * of them.
 */
function judgeMeasures(
  passRate: Measured<MeasuredPairs>,
  scores: readonly Measured<MeasuredPairs & ScoreFacts>[],
): Pick<ComparisonSummary, 'pass_rate' | 'scores'> {
  const own = scores.filter(
    ({ difference: { gated, same_as_pass_rate } }) => gated && !same_as_pass_rate,
  );
  const tests = [passRate, ...own];
  const family = judgeFamily(tests.map(({ difference }) => difference));
  const judged = new Map<unknown, FamilyTest & Pick<MeasureDifference, 'detectable'>>();
  for (const [at, test] of tests.entries()) {
    const others = tests.flatMap((one) =>
      one === test ? [] : (one.difference.p_attainable ?? []),
    );
    const verdict = family[at] ?? undecided;
    const detectable = test.detectable({ others, isChanged: verdict.beyond_chance });
    judged.set(test, { ...verdict, detectable });
  }
  const notJudged = { ...undecided, detectable: null };
  const ofPassRate = judged.get(passRate) ?? notJudged;
  return {
    pass_rate: { ...passRate.difference, ...ofPassRate },
    scores: scores.map((score) => ({
      ...score.difference,
      ...(score.difference.gated ? (judged.get(score) ?? ofPassRate) : notJudged),
    })),
  };
}

/** Compares one measure over pairs; `column` is that measure of these pairs. */
export function measuredPairs(
  pairs: readonly FullPair[],
  column: MeasureColumn,
  measure: Measure,
  options: DrawOptions,
): MeasuredPairs {
  const trials = () => trialPairs(pairs, column, measure);
  return {
    ...pairedDifference(column, trials, options),
    only_base: column.onlyBase,
    only_other: column.onlyOther,
  };
}

function measured(
  pairs: readonly FullPair[],
  column: MeasureColumn,
  measure: Measure,
  better: 'higher' | 'lower',
  options: CompareOptions,
): Measured<MeasuredPairs> {
  const difference = measuredPairs(pairs, column, measure, options);
  if (options.detectable === false) return { difference, detectable: () => null };
  const hasInterval = (difference.difference?.low ?? null) !== null;
  return {
    difference,
    detectable: (family) =>
      detectableChange(pairs, column, measure, { better, hasInterval, ...family }),
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

type ScoreLine = Pick<ScoreFacts, 'type' | 'name' | 'gated'>;

/** What is compared of a score: verdicts and values, each if both runs have them. */
function linesOf(
  key: string,
  was: KeyFacts | undefined,
  is: KeyFacts | undefined,
): readonly ScoreLine[] {
  const [one, two] = [was ?? is, is ?? was];
  const hasGiven = one?.hasGiven === true || two?.hasGiven === true;
  const hasVerdicts = one?.hasVerdicts === true && two?.hasVerdicts === true;
  const line = (type: ScoreFacts['type'], gated: boolean): ScoreLine => ({
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

function compareScores(
  base: readonly EvalCase[],
  other: readonly EvalCase[],
  full: readonly FullPair[],
  passes: MeasureColumn,
  options: CompareOptions,
): Measured<MeasuredPairs & ScoreFacts>[] {
  const scales: Scales = new Map();
  const addTo = (score: CaseScore) => addValues(score, scaleOf(score.key, scales));
  const before = scoreFacts(base, addTo);
  const after = scoreFacts(other, addTo);
  const drifts = judgeDrifts(full);
  const scores: Measured<MeasuredPairs & ScoreFacts>[] = [];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(key), after.get(key)];
    const { scale } = scaleOf(key, scales);
    const drift = drifts.get(key);
    for (const line of linesOf(key, was, is)) {
      const { type } = line;
      const measure = type === 'avg' ? valueMeasure(key, scale) : verdictMeasure(key);
      const column = measureColumn(type === 'mixed' ? [] : full, measure);
      const better = type === 'ratio' ? 'higher' : ((is ?? was)?.better ?? 'higher');
      const { difference, detectable } = measured(full, column, measure, better, options);
      const facts: ScoreFacts = {
        key,
        ...line,
        better,
        same_as_pass_rate: column.at.length > 0 && isSameColumn(column, passes),
        ...(type === 'avg' &&
          isUnbounded(scale) && { percentiles: percentilesOf(full, column, key) }),
        ...(drift && { judge_drift: drift }),
      };
      scores.push({ difference: { ...difference, ...facts }, detectable });
    }
  }
  return scores;
}

/** The percentiles of the values of a score in both runs, over the pairs of a column. */
function percentilesOf(
  pairs: readonly FullPair[],
  { at }: MeasureColumn,
  key: string,
): NonNullable<ScoreFacts['percentiles']> {
  const [base, other] = [new ScoreValues(), new ScoreValues()];
  const add = (evalCase: EvalCase | undefined, values: ScoreValues) => {
    const score = evalCase && scoreOf(evalCase, key);
    if (score !== undefined) addValues(score, values);
  };
  for (const position of at) {
    add(pairs[position]?.base, base);
    add(pairs[position]?.other, other);
  }
  return { base: base.percentiles(), other: other.percentiles() };
}
