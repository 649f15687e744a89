import { eachInSteps, type Steps } from '../../model/steps.js';
import type { CaseScore, EvalCase } from './eval-case.js';

/**
 * All score keys in order of first appearance; a key is a `ratio` if it is one in any case, as in the chips of a
 * run.
 */
export function* scoreKinds(cases: readonly EvalCase[]): Steps<Map<string, CaseScore['kind']>> {
  const kinds = new Map<string, CaseScore['kind']>();
  yield* eachInSteps(cases, ({ scores }) => {
    for (const { key, kind } of scores) {
      const known = kinds.get(key);
      if (known === undefined || (known !== kind && kind === 'ratio')) kinds.set(key, kind);
    }
  });
  return kinds;
}
