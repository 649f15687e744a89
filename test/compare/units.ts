import type { Unit, UnitScore } from '../../src/compare/unit.js';

/** A unit with the given facts; else one that has finished once, without verdict or scores. */
export function unit(id: string, facts: Partial<Unit> = {}): Unit {
  return {
    id,
    function: id,
    dataset: 'a',
    trials: 1,
    passes: 0,
    judged: 0,
    errors: 0,
    scores: [],
    outputHash: null,
    latency: null,
    ...facts,
  };
}

/** A unit of which so many of so many trials passed, all under one score. */
export function passed(id: string, passes: number, of = 1, facts: Partial<Unit> = {}): Unit {
  return unit(id, {
    trials: of,
    passes,
    judged: of,
    scores: [{ key: 'correctness', kind: 'ratio', sum: passes, count: of }],
    ...facts,
  });
}

/** A score that is a value, of one trial. */
export function valued(key: string, sum: number): UnitScore[] {
  return [{ key, kind: 'value', sum, count: 1 }];
}

/** A score that is a value in each of these trials. */
export function valuedTrials(key: string, values: readonly number[]): UnitScore[] {
  const sum = values.reduce((all, one) => all + one, 0);
  return [{ key, kind: 'value', sum, count: values.length, values }];
}

/** Units named 0, 1, 2 …, one for each character: `+` passed, `-` failed. */
export function verdicts(outcomes: string): Unit[] {
  return [...outcomes].map((outcome, i) => passed(String(i), outcome === '+' ? 1 : 0));
}
