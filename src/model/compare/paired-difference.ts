import type { Estimate } from '../run.js';
import { bootstrapMean } from './bootstrap-mean.js';
import { meanOf, subtract } from './number-lists.js';
import { roundingTolerance } from './rounding-tolerance.js';
import { signFlipPValue } from './sign-flip.js';

/** How much is drawn for intervals and p-values. */
export interface DrawOptions {
  /** Resamples for an interval; 2,000 unless told. */
  readonly resamples?: number;
  /** Draws of signs for a p-value; 20,000 unless told. */
  readonly draws?: number;
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

/**
 * Compares a measure over pairs, each pair at one position of both lists: the mean of the differences, its 95 %
 * bootstrap interval over pairs (see `bootstrapMean`) and its p-value (see `signFlipPValue`). The order of pairs does not
 * matter; with the sides exchanged everything is mirrored.
 */
export function pairedDifference(
  base: readonly number[],
  other: readonly number[],
  { resamples = 2000, draws = 20_000 }: DrawOptions = {},
): PairedDifference {
  const tolerance = roundingTolerance(base, other);
  const differences = subtract(other, base);
  differences.forEach((one, i) => {
    if (Math.abs(one) <= tolerance) differences[i] = 0;
  });
  // Once here; sorting again what is sorted is quick.
  differences.sort();
  const pairs = differences.length;
  const higher = differences.filter((one) => one > 0).length;
  const lower = differences.filter((one) => one < 0).length;
  if (pairs === 0) return { ...nothing, pairs, higher, lower };
  const pValue = signFlipPValue(differences, { draws, tolerance });
  return {
    pairs,
    base: meanOf(base),
    other: meanOf(other),
    difference: {
      estimate: meanOf(differences),
      ...bootstrapMean(differences, { resamples, tolerance }),
    },
    higher,
    lower,
    p_value: pValue,
    beyond_chance: pValue < chanceLevel,
  };
}

const nothing = {
  base: null,
  other: null,
  difference: null,
  p_value: null,
  beyond_chance: false,
} as const;
