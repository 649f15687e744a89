import type { ScoreFacts } from '../../model/scores/score.js';
import { isGiven } from '../../model/scores/score-rule.js';
import type { Passes } from '../../statistics/fisher-exact.js';
import { type CaseScore, valuesOf, verdictsOf } from './eval-case.js';

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
    if (score.source === 'human' || score.asserted) return verdictOf(score);
    const known = passed ? this.#passed : this.#failed;
    let verdict = known.get(key);
    if (verdict === undefined) {
      verdict = verdictOf(score);
      known.set(key, verdict);
    }
    return verdict;
  };
}

/** The verdict of an evaluator comes first, with the value beside it; one that a threshold derived stands beside the value. */
function withValue(score: ScoreFacts, value: number): CaseScore {
  const { key, passed } = score;
  const rule = valueRule(score);
  if (isGiven(score)) return { ...verdictOf(score), values: [value], ...rule };
  const derived = passed === undefined ? {} : { derived: passed ? onePassed : oneFailed };
  return { key, kind: 'value', sum: value, count: 1, ...derived, ...rule };
}

/** What is known of the values of a score. */
function valueRule({ better, scale }: Pick<CaseScore, 'better' | 'scale'>) {
  return { ...(better && { better }), ...(scale && { scale }) };
}

function verdictOf({ key, passed, source, asserted }: ScoreFacts): CaseScore {
  return {
    key,
    kind: 'ratio',
    sum: passed ? 1 : 0,
    count: 1,
    ...(source === 'human' && { human: true }),
    ...(asserted && { asserted }),
  };
}

// Shared to save memory.
const onePassed: Passes = { passes: 1, of: 1 };
const oneFailed: Passes = { passes: 0, of: 1 };

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

/** Once an evaluator gave a verdict, `sum` and `count` are over all verdicts; values are kept separately. */
function addScore(one: CaseScore, two: CaseScore | undefined): CaseScore {
  if (two === undefined) return one;
  const { key } = one;
  const values = joined(valuesOf(one), valuesOf(two));
  const derived = addPasses(one.derived, two.derived);
  return {
    key,
    ...counted(one, two),
    ...(isHuman(one, two) ? { human: true } : {}),
    ...(one.asserted && two.asserted ? { asserted: true } : {}),
    ...(derived === undefined ? {} : { derived }),
    ...(values === undefined ? {} : { values }),
    ...valueRule({ better: one.better ?? two.better, scale: one.scale ?? two.scale }),
  };
}

function isHuman(...scores: readonly CaseScore[]): boolean {
  const given = scores.filter(({ kind }) => kind === 'ratio');
  return given.length > 0 && given.every(({ human }) => human === true);
}

function counted(one: CaseScore, two: CaseScore): Pick<CaseScore, 'kind' | 'sum' | 'count'> {
  if (one.kind === 'value' && two.kind === 'value') {
    return { kind: 'value', sum: one.sum + two.sum, count: one.count + two.count };
  }
  const { passes, of } = addPasses(verdictsOf(one), verdictsOf(two)) ?? noPasses;
  return { kind: 'ratio', sum: passes, count: of };
}

const noPasses: Passes = { passes: 0, of: 0 };

function addPasses(one: Passes | undefined, two: Passes | undefined): Passes | undefined {
  if (one === undefined || two === undefined) return one ?? two;
  return { passes: one.passes + two.passes, of: one.of + two.of };
}

function joined(
  one: readonly number[] | undefined,
  two: readonly number[] | undefined,
): readonly number[] | undefined {
  if (one === undefined || two === undefined) return one ?? two;
  return [...one, ...two];
}
