import type { Unit, UnitScore } from './unit.js';

/** The keys of all scores in order of first appearance: `ratio` when it is in any unit, as in the chips of a run. */
export function scoreKinds(units: Iterable<Unit>): Map<string, UnitScore['kind']> {
  const kinds = new Map<string, UnitScore['kind']>();
  for (const { scores } of units) {
    scores.forEach(({ kind }, key) => {
      if (kind === 'ratio' || !kinds.has(key)) kinds.set(key, kind);
    });
  }
  return kinds;
}
