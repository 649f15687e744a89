import type { ScoreFacts } from '../score.js';
import type { UnitScore } from './unit.js';

// Most scores are one of these; held once, a large run stays small.
const failedOnce: UnitScore = { kind: 'ratio', sum: 0, count: 1 };
const passedOnce: UnitScore = { kind: 'ratio', sum: 1, count: 1 };

/** One score as that of a unit: its verdict when it has one, else its value; `undefined` when it has neither. */
export function scoreOf({ passed, value }: ScoreFacts): UnitScore | undefined {
  if (passed !== undefined) return passed ? passedOnce : failedOnce;
  return value === undefined ? undefined : { kind: 'value', sum: value, count: 1 };
}

/** Adds what further trials say: once there is a verdict, values do not count. */
export function addScores(one: UnitScore, two: UnitScore): UnitScore {
  if (one.kind !== two.kind) return one.kind === 'ratio' ? one : two;
  return { kind: one.kind, sum: one.sum + two.sum, count: one.count + two.count };
}
