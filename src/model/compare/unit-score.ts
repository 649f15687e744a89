import type { ScoreFacts } from '../score.js';
import type { UnitScore } from './unit.js';

/** Makes scores of units from those of results. */
export class UnitScores {
  // Most scores are one of these; held once, a large run stays small.
  readonly #passed = new Map<string, UnitScore>();
  readonly #failed = new Map<string, UnitScore>();

  /** One score as that of a unit: its verdict when it has one, else its value; `undefined` when it has neither. */
  readonly of = ({ key, passed, value }: ScoreFacts): UnitScore | undefined => {
    if (passed === undefined) {
      return value === undefined ? undefined : { key, kind: 'value', sum: value, count: 1 };
    }
    const known = passed ? this.#passed : this.#failed;
    let score = known.get(key);
    if (score === undefined) {
      score = { key, kind: 'ratio', sum: passed ? 1 : 0, count: 1 };
      known.set(key, score);
    }
    return score;
  };
}

/** Adds the scores of one more trial: each key once, in order of first appearance. */
export function mergeScores(
  known: readonly UnitScore[],
  more: readonly (UnitScore | undefined)[],
): readonly UnitScore[] {
  // Nearly always: one trial, or the keys of all trials in one order. What is made here is no longer than it has to be.
  if (known.length === 0 && isEachOnce(more)) return more;
  if (known.length === more.length && known.every(({ key }, at) => key === more[at]?.key)) {
    return known.map((score, at) => addScore(score, more[at]));
  }
  const all = new Map(known.map((score) => [score.key, score]));
  for (const score of more) {
    if (score !== undefined) all.set(score.key, addScore(score, all.get(score.key)));
  }
  return [...all.values()];
}

function isEachOnce(scores: readonly (UnitScore | undefined)[]): scores is readonly UnitScore[] {
  return scores.every(
    (score, at) => score !== undefined && scores.findIndex((one) => one?.key === score.key) === at,
  );
}

/** Once there is a verdict, values do not count. */
function addScore(one: UnitScore, two: UnitScore | undefined): UnitScore {
  if (two === undefined) return one;
  if (one.kind !== two.kind) return one.kind === 'ratio' ? one : two;
  const { key, kind } = one;
  return { key, kind, sum: one.sum + two.sum, count: one.count + two.count };
}
