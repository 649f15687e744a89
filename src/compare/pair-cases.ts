import { eachInSteps, type Steps } from '../model/steps.js';
import { type Change, changeOf } from './change.js';
import type { EvalCase } from './eval-case.js';

/** A case in two runs; `undefined` in the one that does not have it. At least one is there. */
export interface CasePair {
  readonly id: string;
  readonly base: EvalCase | undefined;
  readonly other: EvalCase | undefined;
  readonly change: Change;
}

/** A case with a finished trial in both runs. */
export interface FullPair extends CasePair {
  readonly base: EvalCase;
  readonly other: EvalCase;
}

/** What the trials of one evaluation gave in two runs: one value or more on each side. */
export interface TrialPair {
  readonly base: ArrayLike<number>;
  readonly other: ArrayLike<number>;
}

/** Pairs cases by id, never by position: in the order of the base, then those that only the other run has. */
export function* pairCases(
  base: readonly EvalCase[],
  other: readonly EvalCase[],
): Steps<CasePair[]> {
  // Runs of the same evaluations have them in the same order: only those elsewhere need to be looked up.
  const left = new Map<string, EvalCase>();
  yield* eachInSteps(other, (evalCase, at) => {
    if (evalCase.id !== base[at]?.id) left.set(evalCase.id, evalCase);
  });
  const pairs: CasePair[] = [];
  yield* eachInSteps(base, (evalCase, at) => {
    const same = other[at];
    const match = same?.id === evalCase.id ? same : left.get(evalCase.id);
    left.delete(evalCase.id);
    pairs.push({
      id: evalCase.id,
      base: evalCase,
      other: match,
      change: changeOf(evalCase, match),
    });
  });
  for (const evalCase of left.values()) {
    pairs.push({ id: evalCase.id, base: undefined, other: evalCase, change: 'only_other' });
  }
  return pairs;
}

/** True when a trial of the case has finished in both runs: then it counts in every difference. */
export function isFullPair(pair: CasePair): pair is FullPair {
  const { base, other } = pair;
  return base !== undefined && other !== undefined && base.trials > 0 && other.trials > 0;
}
