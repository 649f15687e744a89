import { ClusterNumbers } from '../../model/summary/cluster-totals.js';
import type { Passes } from '../../statistics/fisher-exact.js';
import { meanOf, sumOf } from '../../statistics/sums.js';
import type { Scale } from '../../statistics/value-scale.js';
import {
  type EvalCase,
  meanValueOf,
  passShare,
  scoreOf,
  valuesOf,
  verdictsOf,
} from '../cases/eval-case.js';
import { clusterOf, type FullPair, type TrialPair } from '../cases/pair-cases.js';

/** A property of the trials of a case: a verdict, a score, a latency. */
export interface Measure {
  /** The mean over the trials that have it; `null` when none has. */
  readonly mean: (evalCase: EvalCase) => number | null;
  /** The number of trials that have it. */
  readonly count: (evalCase: EvalCase) => number;
  /** The value of each of these trials; `undefined` when only the mean is known. */
  readonly values: (evalCase: EvalCase) => ArrayLike<number> | undefined;
  /** True when each trial passes or fails, so that the mean is a share. */
  readonly isShare: boolean;
  /** The scale of the values; absent when it does not matter. */
  readonly scale?: Scale | undefined;
}

/** The verdicts of trials. */
export const passMeasure: Measure = {
  mean: passShare,
  count: (evalCase) => evalCase.judged,
  values: (evalCase) => passList(evalCase.passes, evalCase.judged),
  isShare: true,
};

/** The verdicts under a score key. */
export function verdictMeasure(key: string): Measure {
  const verdicts = (evalCase: EvalCase): Passes | undefined => {
    const score = scoreOf(evalCase, key);
    return score && verdictsOf(score);
  };
  return {
    mean: (evalCase) => shareOf(verdicts(evalCase)),
    count: (evalCase) => verdicts(evalCase)?.of ?? 0,
    values: (evalCase) => {
      const found = verdicts(evalCase);
      return found && passList(found.passes, found.of);
    },
    isShare: true,
  };
}

/** The values under a score key. */
export function valueMeasure(key: string, scale: Scale | undefined): Measure {
  return {
    mean: (evalCase) => {
      const score = scoreOf(evalCase, key);
      return score === undefined ? null : meanValueOf(score);
    },
    count: (evalCase) => {
      const score = scoreOf(evalCase, key);
      return score?.values?.length ?? score?.count ?? 0;
    },
    values: (evalCase) => {
      const score = scoreOf(evalCase, key);
      return score === undefined ? undefined : valuesOf(score);
    },
    isShare: false,
    scale,
  };
}

function shareOf(verdicts: Passes | undefined): number | null {
  return verdicts === undefined ? null : verdicts.passes / verdicts.of;
}

function passList(passes: number, of: number): Float64Array {
  return new Float64Array(of).fill(1, 0, passes);
}

/** One measure over pairs: three lists of the same length. */
export interface MeasureColumn {
  /** The positions of the pairs that have it in both runs, ascending. */
  readonly at: Uint32Array;
  readonly base: Float64Array;
  readonly other: Float64Array;
  /** The unit of each pair, if some are of one cluster; absent if each is a unit of its own. */
  readonly units?: readonly number[] | undefined;
  /** True when each pair has equally many trials with the measure in both runs. */
  readonly isEven: boolean;
  /**
   * How far one trial can move a pair when all values are 0 or 1: 1 / the fewest trials with the measure of any
   * case.
   */
  readonly step: number | undefined;
  /** See `Measure`. */
  readonly scale?: Scale | undefined;
  /**
   * The variance that single trials have around the means of their cases, of a trial in each run together; the mean over
   * all pairs. 0 for shares, and where the values are not known.
   */
  readonly within: number;
  /** Pairs that have it only in the base, and only in the other run. */
  readonly onlyBase: number;
  readonly onlyOther: number;
}

/** Sums of larger values could overflow. */
const largestValue = 1e300;

export function measureColumn(
  pairs: readonly FullPair[],
  { mean, count, values: valuesOf, isShare, scale }: Omit<Measure, 'values'> & Partial<Measure>,
): MeasureColumn {
  const at = new Uint32Array(pairs.length);
  const base = new Float64Array(pairs.length);
  const other = new Float64Array(pairs.length);
  const clusters = new ClusterNumbers();
  const units: number[] = [];
  let length = 0;
  let onlyBase = 0;
  let onlyOther = 0;
  let isEven = true;
  let fewest = Number.POSITIVE_INFINITY;
  let most = 0;
  let within = 0;
  const varianceOf = (evalCase: EvalCase) => (isShare ? 0 : varianceWithin(valuesOf?.(evalCase)));
  for (const [position, pair] of pairs.entries()) {
    const before = usable(mean(pair.base));
    const after = usable(mean(pair.other));
    if (before !== null && after !== null) {
      at[length] = position;
      base[length] = before;
      other[length] = after;
      length += 1;
      units.push(clusters.of({ cluster: clusterOf(pair) }));
      const [first, second] = [count(pair.base), count(pair.other)];
      if (first !== second) isEven = false;
      fewest = Math.min(fewest, first, second);
      most = Math.max(most, first, second);
      within += varianceOf(pair.base) + varianceOf(pair.other);
    } else if (before !== null) onlyBase += 1;
    else if (after !== null) onlyOther += 1;
  }
  const values = { base: base.subarray(0, length), other: other.subarray(0, length) };
  const isBinaryScale = scale?.isDeclared !== true || (scale.low === 0 && scale.high === 1);
  const isZeroOrOne =
    isShare || (most === 1 && isBinaryScale && isBinary(values.base) && isBinary(values.other));
  return {
    at: at.subarray(0, length),
    ...values,
    units: clusters.count < length ? units : undefined,
    isEven,
    step: isZeroOrOne ? 1 / fewest : undefined,
    scale,
    within: length === 0 ? 0 : within / length,
    onlyBase,
    onlyOther,
  };
}

/** The mean squared distance of values from their mean; 0 if they are not known. */
function varianceWithin(values: ArrayLike<number> | undefined): number {
  if (values === undefined || values.length < 2) return 0;
  const mean = meanOf(values);
  return sumOf(Float64Array.from(values, (value) => (value - mean) ** 2)) / values.length;
}

function isBinary(values: Float64Array): boolean {
  return values.every((value) => value === 0 || value === 1);
}

/**
 * The values of the trials of each pair of a column. When only means are known, a pair with equally many trials is
 * represented by its means; `undefined` when a pair with unequal numbers of trials lacks its values.
 */
export function trialPairs(
  pairs: readonly FullPair[],
  { at }: MeasureColumn,
  { mean, count, values }: Measure,
): TrialPair[] | undefined {
  const found: TrialPair[] = [];
  for (const position of at) {
    const pair = pairs[position];
    if (pair === undefined) continue;
    const base = values(pair.base);
    const other = values(pair.other);
    if (base !== undefined && other !== undefined) found.push({ base, other });
    else if (count(pair.base) !== count(pair.other)) return undefined;
    else found.push({ base: [mean(pair.base) ?? 0], other: [mean(pair.other) ?? 0] });
  }
  return found;
}

/** True when two measures exist for the same pairs and have the same values. */
export function isSameColumn(one: MeasureColumn, two: MeasureColumn): boolean {
  return (
    isSameList(one.at, two.at) && isSameList(one.base, two.base) && isSameList(one.other, two.other)
  );
}

function isSameList<T extends Uint32Array | Float64Array>(one: T, two: T): boolean {
  return one.length === two.length && one.every((value, i) => value === two[i]);
}

function usable(value: number | null): number | null {
  return value !== null && Math.abs(value) <= largestValue ? value : null;
}
