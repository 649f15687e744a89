import { eachInSteps, type Steps } from '../steps.js';
import type { FullPair } from './pair-units.js';
import { scoreOf, type Unit, type UnitScore } from './unit.js';

/** One measure over pairs: three lists of one length. */
export interface MeasureColumn {
  /** Which pairs have it in both runs: positions, ascending. */
  readonly at: Uint32Array;
  readonly base: Float64Array;
  readonly other: Float64Array;
  /** Pairs that have it in the base only, and in the other run only. */
  readonly onlyBase: number;
  readonly onlyOther: number;
}

/** Sums of what is larger could leave the range of numbers. */
const largestValue = 1e300;

/** Reads one measure of every pair; `null` where a unit does not have it. */
export function* measureColumn(
  pairs: readonly FullPair[],
  read: (unit: Unit) => number | null,
): Steps<MeasureColumn> {
  const at = new Uint32Array(pairs.length);
  const base = new Float64Array(pairs.length);
  const other = new Float64Array(pairs.length);
  let length = 0;
  let onlyBase = 0;
  let onlyOther = 0;
  yield* eachInSteps(pairs, (pair, position) => {
    const before = usable(read(pair.base));
    const after = usable(read(pair.other));
    if (before !== null && after !== null) {
      at[length] = position;
      base[length] = before;
      other[length] = after;
      length += 1;
    } else if (before !== null) onlyBase += 1;
    else if (after !== null) onlyOther += 1;
  });
  return {
    at: at.subarray(0, length),
    base: base.subarray(0, length),
    other: other.subarray(0, length),
    onlyBase,
    onlyOther,
  };
}

/** The mean of a score over the trials of a unit; `null` when there is none, or none of this kind. */
export function scoreMean(unit: Unit, key: string, kind: UnitScore['kind']): number | null {
  const score = scoreOf(unit, key);
  return score === undefined || score.kind !== kind ? null : score.sum / score.count;
}

/** True when two measures are there for the same pairs and have the same values. */
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
