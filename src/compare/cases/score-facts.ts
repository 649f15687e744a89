import { type CaseScore, type EvalCase, meanValueOf, verdictsOf } from './eval-case.js';

/** What the cases of a run have under a score key. */
export interface KeyFacts {
  /** Its verdicts stand for the score: an evaluator gave any, or a person did and no threshold. */
  readonly hasGiven: boolean;
  /** Given, or derived from a threshold. */
  readonly hasVerdicts: boolean;
  readonly hasValues: boolean;
  readonly better: 'lower' | undefined;
}

interface Seen extends Omit<KeyFacts, 'hasGiven'> {
  readonly byEvaluator: boolean;
  readonly byThreshold: boolean;
}

/** All score keys in order of first appearance; `visit` sees each score of each case. */
export function scoreFacts(
  cases: readonly EvalCase[],
  visit?: (score: CaseScore) => void,
): Map<string, KeyFacts> {
  const keys = new Map<string, Seen>();
  for (const { scores } of cases) {
    for (const score of scores) {
      visit?.(score);
      const known = keys.get(score.key);
      const seen = {
        byEvaluator: known?.byEvaluator === true || (score.kind === 'ratio' && !score.human),
        byThreshold: known?.byThreshold === true || score.derived !== undefined,
        hasVerdicts: known?.hasVerdicts === true || verdictsOf(score) !== undefined,
        hasValues: known?.hasValues === true || meanValueOf(score) !== null,
        better: known?.better ?? score.better,
      };
      if (known === undefined || !isEqual(known, seen)) keys.set(score.key, seen);
    }
  }
  return new Map(
    [...keys].map(([key, { byEvaluator, byThreshold, ...facts }]) => [
      key,
      { ...facts, hasGiven: byEvaluator || (facts.hasVerdicts && !byThreshold) },
    ]),
  );
}

function isEqual(one: Seen, two: Seen): boolean {
  return (
    one.byEvaluator === two.byEvaluator &&
    one.byThreshold === two.byThreshold &&
    one.hasVerdicts === two.hasVerdicts &&
    one.hasValues === two.hasValues &&
    one.better === two.better
  );
}
