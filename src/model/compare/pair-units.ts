import { type Change, type ChangeCounts, changeOf } from './change.js';
import type { Unit } from './unit.js';

/** A unit in two runs; `undefined` in the one that does not have it. At least one is there. */
export interface UnitPair {
  readonly id: string;
  readonly base: Unit | undefined;
  readonly other: Unit | undefined;
  readonly change: Change;
}

/** A unit with a finished trial in both runs. */
export interface FullPair extends UnitPair {
  readonly base: Unit;
  readonly other: Unit;
}

/** Pairs units by id, never by position: in the order of the base, then those that only the other run has. */
export function pairUnits(base: Iterable<Unit>, other: Iterable<Unit>): UnitPair[] {
  const left = new Map<string, Unit>();
  for (const unit of other) left.set(unit.id, unit);
  const pairs: UnitPair[] = [];
  for (const unit of base) {
    const match = left.get(unit.id);
    left.delete(unit.id);
    pairs.push({ id: unit.id, base: unit, other: match, change: changeOf(unit, match) });
  }
  for (const unit of left.values()) {
    pairs.push({ id: unit.id, base: undefined, other: unit, change: 'only_other' });
  }
  return pairs;
}

/** True when a trial of the unit has finished in both runs: then it counts in every difference. */
export function isFullPair(pair: UnitPair): pair is FullPair {
  const { base, other } = pair;
  return base !== undefined && other !== undefined && base.trials > 0 && other.trials > 0;
}

/** Counts what became of the units. */
export function countChanges(pairs: Iterable<UnitPair>): ChangeCounts {
  const counts = {
    regressed: 0,
    fixed: 0,
    changed: 0,
    same: 0,
    only_base: 0,
    only_other: 0,
    not_paired: 0,
  };
  for (const pair of pairs) counts[pair.change] += 1;
  return counts;
}
