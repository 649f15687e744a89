import type { Estimate } from '../../statistics/bounds.js';
import { roundingTolerance } from '../../statistics/rounding-tolerance.js';
import { meanOf } from '../../statistics/sums.js';
import type { Steps } from '../steps.js';
import { bootstrapMean } from './bootstrap-mean.js';
import { signFlipPValue } from './sign-flip.js';

/** How much is drawn for intervals and p-values. */
export interface DrawOptions {
  /** Resamples for an interval; 2,000 unless told. */
  readonly resamples?: number | undefined;
  /** Draws of signs for a p-value; 20,000 unless told. */
  readonly draws?: number | undefined;
}

/** One measure in two runs, over the units that have it in both: plain JSON. */
export interface PairedDifference {
  /** Units that have it in both runs. */
  readonly pairs: number;
  /** Mean over these units in the base; `null` without pairs, like all that follows. */
  readonly base: number | null;
  readonly other: number | null;
  /** Mean of other − base, with a 95 % interval; `null` bounds below two pairs. */
  readonly difference: Estimate | null;
  /** Units in which the other run has more, and in which it has less. */
  readonly higher: number;
  readonly lower: number;
  readonly p_value: number | null;
  /** p < 0.05. */
  readonly beyond_chance: boolean;
}

/** Below this p-value a difference is beyond chance. */
export const chanceLevel = 0.05;

/** The differences of pairs. */
export interface Differences {
  /** Ascending; what rounding alone explains is 0. */
  readonly sorted: Float64Array;
  /** Values closer than this are equal. */
  readonly tolerance: number;
}

/** The differences other − base, each pair standing at one position of both lists. */
export function* differencesOf(base: Float64Array, other: Float64Array): Steps<Differences> {
  const tolerance = roundingTolerance(base, other);
  const sorted = new Float64Array(base.length);
  for (let i = 0; i < sorted.length; i += 1) {
    const difference = (other[i] ?? 0) - (base[i] ?? 0);
    if (Math.abs(difference) > tolerance) sorted[i] = difference;
  }
  yield;
  sorted.sort();
  yield;
  return { sorted, tolerance };
}

/**
 * Compares a measure over pairs, each pair at one position of both lists: the mean of the differences, its 95 %
 * bootstrap interval over pairs (see `bootstrapMean`) and its p-value (see `signFlipPValue`). The order of pairs does not
 * matter; with the sides exchanged everything is mirrored.
 */
export function* pairedDifference(
  base: Float64Array,
  other: Float64Array,
  { resamples, draws }: DrawOptions = {},
  known?: Differences,
): Steps<PairedDifference> {
  const { sorted, tolerance } = known ?? (yield* differencesOf(base, other));
  const pairs = sorted.length;
  if (pairs === 0) return nothing;
  const lower = countWhile(sorted, (one) => one < 0);
  const notHigher = countWhile(sorted, (one) => one <= 0);
  const pValue = yield* signFlipPValue(sorted, { draws, tolerance });
  const bounds = yield* bootstrapMean(sorted, { resamples, tolerance });
  return {
    pairs,
    base: meanOf(base),
    other: meanOf(other),
    difference: { estimate: meanOf(sorted), ...bounds },
    higher: pairs - notHigher,
    lower,
    p_value: pValue,
    beyond_chance: pValue < chanceLevel,
  };
}

/** How many values at the beginning are so. */
function countWhile(values: Float64Array, isSo: (value: number) => boolean): number {
  const end = values.findIndex((value) => !isSo(value));
  return end < 0 ? values.length : end;
}

const nothing: PairedDifference = {
  pairs: 0,
  base: null,
  other: null,
  difference: null,
  higher: 0,
  lower: 0,
  p_value: null,
  beyond_chance: false,
};
