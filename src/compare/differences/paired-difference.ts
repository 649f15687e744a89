import { ClusterTotals } from '../../model/summary/cluster-totals.js';
import { bonettPrice } from '../../statistics/bonett-price.js';
import { type Bounds, type Estimate, noBounds } from '../../statistics/bounds.js';
import { clusterValues, varianceWithin } from '../../statistics/clustered-mean.js';
import { differenceInterval, meanInterval } from '../../statistics/mean-interval.js';
import { roundingTolerance } from '../../statistics/rounding-tolerance.js';
import { meanOf } from '../../statistics/sums.js';
import type { TailOptions, Tails } from '../../statistics/tails.js';
import { differenceScale, isUnbounded } from '../../statistics/value-scale.js';
import { countOf } from '../../text/count-text.js';
import type { TrialPair } from '../cases/pair-cases.js';
import { type SingleTest, singleTest, untested } from '../significance/family.js';
import { signFlipTails } from '../significance/sign-flip.js';
import { permutedTails } from '../significance/trial-permutation.js';
import type { MeasureColumn } from './measure-columns.js';

/** Number of draws for p-values. */
export type DrawOptions = Pick<TailOptions, 'draws'>;

/** One measure in two runs, over the cases that have it in both: plain JSON. */
export interface MeanDifference {
  /** Cases that have it in both runs. */
  readonly pairs: number;
  /** How many independent units these are: clusters, and cases without one; absent unless cases share a cluster. */
  readonly clusters?: number;
  /** Mean over these cases in the base; `null` without pairs, like all that follows. */
  readonly base: number | null;
  readonly other: number | null;
  /** Mean of other − base, with its 95 % interval. */
  readonly difference: Estimate | null;
  /** Cases in which the other run has more, and in which it has less. */
  readonly higher: number;
  readonly lower: number;
}

/**
 * A difference and its test, by itself: plain JSON. No test without pairs, and when the base does not keep the values of
 * trials that it needs.
 */
export interface PairedDifference extends MeanDifference, SingleTest {
  /** Why cases that share clusters are not tested, as the rest of a sentence; absent if they are. */
  readonly not_tested?: string;
}

/** The differences other − base of pairs. */
export interface Differences {
  /** Ascending; differences from rounding alone are 0. */
  readonly sorted: Float64Array;
  /** Values closer than this are equal. */
  readonly tolerance: number;
  /** The differences of each unit, if some pairs are of one cluster. */
  readonly units?: ClusterTotals;
}

type Means = Pick<MeasureColumn, 'base' | 'other' | 'units' | 'step' | 'scale' | 'within'>;

/** With fewer clusters, flips of their signs decide too little. */
const fewestClusters = 8;

/** The differences of a column. */
export function differencesOf({
  base,
  other,
  units,
}: Pick<Means, 'base' | 'other' | 'units'>): Differences {
  const tolerance = roundingTolerance(base, other);
  const sorted = new Float64Array(base.length);
  const totals = units && new ClusterTotals();
  for (let i = 0; i < sorted.length; i += 1) {
    const difference = (other[i] ?? 0) - (base[i] ?? 0);
    if (Math.abs(difference) > tolerance) sorted[i] = difference;
    totals?.add(units?.[i] ?? 0, sorted[i] ?? 0);
  }
  sorted.sort();
  return { sorted, tolerance, ...(totals && { units: totals }) };
}

/** The mean of the differences, with its 95 % interval: see `intervalOf`. */
export function meanDifference(column: Means, differences: Differences): MeanDifference {
  const { sorted, units } = differences;
  const pairs = sorted.length;
  if (pairs === 0) return noPairs;
  const lower = countWhile(sorted, (one) => one < 0);
  const notHigher = countWhile(sorted, (one) => one <= 0);
  return {
    pairs,
    ...(units && { clusters: units.sums.length }),
    base: meanOf(column.base),
    other: meanOf(column.other),
    difference: { estimate: meanOf(sorted), ...intervalOf(column, differences) },
    higher: pairs - notHigher,
    lower,
  };
}

/** Of pairs, or of clusters of them: Bonett and Price's interval of shares, Student's of values on a scale, none of unbounded ones; else that of a mean. */
function intervalOf({ step, scale, within }: Means, { sorted, units }: Differences): Bounds {
  if (scale !== undefined && isUnbounded(scale)) return noBounds;
  const values = units === undefined ? sorted : clusterValues(units.sums, units.counts);
  if (step !== undefined) {
    const perCluster = sorted.length / values.length;
    return bonettPrice(values, step / perCluster, perCluster);
  }
  if (scale === undefined) return meanInterval(values);
  const inUnits = units ? varianceWithin(units.sums, units.counts, units.squares) : 0;
  return differenceInterval(values, differenceScale(scale), within + inUnits);
}

/**
 * Compares a measure over pairs. The p-value is that of the paired sign flips (`signFlipTails`) where every pair has
 * equally many trials in both runs, else that of the trials dealt out anew (`permutedTails`), for which `trials` gives
 * the values. Where pairs share clusters, whole clusters flip, which needs 8 of them, and equally many trials. The order
 * of pairs does not matter; with the runs exchanged everything is mirrored.
 */
export function pairedDifference(
  column: MeasureColumn,
  trials: () => readonly TrialPair[] | undefined,
  options: DrawOptions = {},
): PairedDifference {
  const differences = differencesOf(column);
  const difference = meanDifference(column, differences);
  if (difference.pairs === 0) return { ...difference, ...untested };
  const why = whyNotTested(column, difference);
  if (why !== undefined) return { ...difference, ...untested, not_tested: why };
  const tails = tailsOf(column, differences, trials, options);
  return { ...difference, ...singleTest(tails) };
}

function whyNotTested({ isEven }: MeasureColumn, { clusters }: MeanDifference): string | undefined {
  if (clusters === undefined) return undefined;
  if (clusters < fewestClusters) {
    return `the cases are of ${countOf(clusters, 'cluster')}, and fewer than ${fewestClusters} cannot be tested`;
  }
  return isEven
    ? undefined
    : 'the runs have unequal numbers of trials, for which clusters cannot be tested';
}

function tailsOf(
  { isEven }: MeasureColumn,
  { sorted, tolerance, units }: Differences,
  trials: () => readonly TrialPair[] | undefined,
  { draws }: DrawOptions,
): Tails | undefined {
  const values = units === undefined ? sorted : Float64Array.from(units.sums).sort();
  if (isEven) return signFlipTails(values, { draws, tolerance });
  const pairs = trials();
  return pairs === undefined ? undefined : permutedTails(pairs, { draws, tolerance });
}

/** Number of such values at the beginning. */
function countWhile(values: Float64Array, isSo: (value: number) => boolean): number {
  const end = values.findIndex((value) => !isSo(value));
  return end < 0 ? values.length : end;
}

const noPairs: MeanDifference = {
  pairs: 0,
  base: null,
  other: null,
  difference: null,
  higher: 0,
  lower: 0,
};
