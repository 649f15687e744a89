import type { FullPair } from './pair-units.js';
import type { Unit, UnitScore } from './unit.js';

/** One measure over pairs: three lists of one length. */
export interface MeasureColumn {
  /** Which pairs have it in both runs: positions, ascending. */
  readonly at: readonly number[];
  readonly base: readonly number[];
  readonly other: readonly number[];
  /** Pairs that have it in the base only, and in the other run only. */
  readonly onlyBase: number;
  readonly onlyOther: number;
}

/** Sums of what is larger could leave the range of numbers. */
const largestValue = 1e300;

/** Reads one measure of every pair; `null` where a unit does not have it. */
export function measureColumn(
  pairs: readonly FullPair[],
  read: (unit: Unit) => number | null,
): MeasureColumn {
  const column = { at: [] as number[], base: [] as number[], other: [] as number[] };
  let onlyBase = 0;
  let onlyOther = 0;
  pairs.forEach((pair, at) => {
    const base = usable(read(pair.base));
    const other = usable(read(pair.other));
    if (base !== null && other !== null) {
      column.at.push(at);
      column.base.push(base);
      column.other.push(other);
    } else if (base !== null) onlyBase += 1;
    else if (other !== null) onlyOther += 1;
  });
  return { ...column, onlyBase, onlyOther };
}

/** The mean of a score over the trials of a unit; `null` when there is none, or none of this kind. */
export function scoreMean(score: UnitScore | undefined, kind: UnitScore['kind']): number | null {
  return score === undefined || score.kind !== kind ? null : score.sum / score.count;
}

/** True when two measures are there for the same pairs and have the same values. */
export function isSameColumn(one: MeasureColumn, two: MeasureColumn): boolean {
  return (
    isSameList(one.at, two.at) && isSameList(one.base, two.base) && isSameList(one.other, two.other)
  );
}

function isSameList(one: readonly number[], two: readonly number[]): boolean {
  return one.length === two.length && one.every((value, i) => value === two[i]);
}

function usable(value: number | null): number | null {
  return value !== null && Math.abs(value) <= largestValue ? value : null;
}
