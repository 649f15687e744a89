import { eachInSteps, type Steps } from '../model/steps.js';
import { type Change, changeOf } from './change.js';
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

/** What the trials of one evaluation gave in two runs: one value or more on each side. */
export interface TrialPair {
  readonly base: ArrayLike<number>;
  readonly other: ArrayLike<number>;
}

/** Pairs units by id, never by position: in the order of the base, then those that only the other run has. */
export function* pairUnits(base: readonly Unit[], other: readonly Unit[]): Steps<UnitPair[]> {
  // Runs of the same evaluations have them in the same order: only those elsewhere need to be looked up.
  const left = new Map<string, Unit>();
  yield* eachInSteps(other, (unit, at) => {
    if (unit.id !== base[at]?.id) left.set(unit.id, unit);
  });
  const pairs: UnitPair[] = [];
  yield* eachInSteps(base, (unit, at) => {
    const same = other[at];
    const match = same?.id === unit.id ? same : left.get(unit.id);
    left.delete(unit.id);
    pairs.push({ id: unit.id, base: unit, other: match, change: changeOf(unit, match) });
  });
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
