import { eachInSteps, type Steps } from '../model/steps.js';
import type { Unit, UnitScore } from './unit.js';

/** The keys of all scores in order of first appearance: `ratio` when it is in any unit, as in the chips of a run. */
export function* scoreKinds(units: readonly Unit[]): Steps<Map<string, UnitScore['kind']>> {
  const kinds = new Map<string, UnitScore['kind']>();
  yield* eachInSteps(units, ({ scores }) => {
    for (const { key, kind } of scores) {
      const known = kinds.get(key);
      if (known === undefined || (known !== kind && kind === 'ratio')) kinds.set(key, kind);
    }
  });
  return kinds;
}
