import type { ScoreFacts } from '../../model/scores/score.js';
import { type CaseScore, valuesOf } from './eval-case.js';

/** Converts scores of results to scores of cases. */
export class CaseScores {
  // Most scores are one of these; sharing them saves memory in a large run.
  readonly #passed = new Map<string, CaseScore>();
  readonly #failed = new Map<string, CaseScore>();

  /** Converts one score; `undefined` if it has neither verdict nor value. See `CaseScore.kind`. */
  readonly of = (score: ScoreFacts): CaseScore | undefined => {
    const { key, passed, value } = score;
    if (value !== undefined) return withValue(score, value);
    if (passed === undefined) return undefined;
    const known = passed ? this.#passed : this.#failed;
    let verdict = known.get(key);
    if (verdict === undefined) {
      verdict = { key, kind: 'ratio', sum: passed ? 1 : 0, count: 1 };
      known.set(key, verdict);
    }
    return verdict;
  };
}

/** A value counts as a value, unless it only accompanies a verdict of the evaluator. */
function withValue({ key, passed, threshold, better }: ScoreFacts, value: number): CaseScore {
  const direction = better === undefined ? {} : { better };
  return passed === undefined || threshold !== undefined
    ? { key, kind: 'value', sum: value, count: 1, ...direction }
    : { key, kind: 'ratio', sum: passed ? 1 : 0, count: 1, values: [value], ...direction };
}

/** Merges the scores of one more trial: each key once, in order of first appearance. */
export function mergeScores(
  known: readonly CaseScore[],
  more: readonly (CaseScore | undefined)[],
): readonly CaseScore[] {
  // The usual cases: one trial, or all trials with the same keys in the same order. They avoid a map and spare
  // capacity.
  if (known.length === 0 && isEachOnce(more)) return more;
  if (known.length === more.length && known.every(({ key }, at) => key === more[at]?.key)) {
    return known.map((score, at) => addScore(score, more[at]));
  }
  const all = new Map(known.map((score) => [score.key, score]));
  for (const score of more) {
    if (score === undefined) continue;
    const before = all.get(score.key);
    all.set(score.key, before === undefined ? score : addScore(before, score));
  }
  return [...all.values()];
}

function isEachOnce(scores: readonly (CaseScore | undefined)[]): scores is readonly CaseScore[] {
  return scores.every(
    (score, at) => score !== undefined && scores.findIndex((one) => one?.key === score.key) === at,
  );
}

/** Once there is a verdict, `sum` and `count` are over verdicts; values are kept separately. */
function addScore(one: CaseScore, two: CaseScore | undefined): CaseScore {
  if (two === undefined) return one;
  const { key } = one;
  const values = joined(valuesOf(one), valuesOf(two));
  const better = one.better ?? two.better;
  const counted = one.kind === two.kind ? added(one, two) : one.kind === 'ratio' ? one : two;
  return {
    key,
    kind: counted.kind,
    sum: counted.sum,
    count: counted.count,
    ...(values === undefined ? {} : { values }),
    ...(better === undefined ? {} : { better }),
  };
}

function added(one: CaseScore, two: CaseScore): Pick<CaseScore, 'kind' | 'sum' | 'count'> {
  return { kind: one.kind, sum: one.sum + two.sum, count: one.count + two.count };
}

function joined(
  one: readonly number[] | undefined,
  two: readonly number[] | undefined,
): readonly number[] | undefined {
  if (one === undefined || two === undefined) return one ?? two;
  return [...one, ...two];
}
