import type { CaseScore, EvalCase } from '../../src/compare/cases/eval-case.js';
import type { ComparedHead, ComparedRun } from '../../src/compare/compared-run.js';

/** A finished run of these cases, of which no result can be read. */
export function comparedRun(
  name: string,
  cases: readonly EvalCase[],
  { unfinished = 0, ...head }: Partial<ComparedHead> & { readonly unfinished?: number } = {},
): ComparedRun {
  return {
    head: {
      ...{ run_id: name, run_name: name, session_name: 's', config_name: 'default' },
      ...{ state: 'finished', timestamp: 0, ...head },
    },
    ...{ cases, unfinished, rowsOf: () => new Map() },
    read: () => Promise.reject(new Error('no result is read')),
  };
}

/** A case with the given facts; else one that has finished once, without verdict or scores. */
export function evalCase(id: string, facts: Partial<EvalCase> = {}): EvalCase {
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

/** A case of which so many of so many trials passed, all under one score. */
export function passed(
  id: string,
  passes: number,
  of = 1,
  facts: Partial<EvalCase> = {},
): EvalCase {
  return evalCase(id, {
    trials: of,
    passes,
    judged: of,
    scores: [{ key: 'correctness', kind: 'ratio', sum: passes, count: of }],
    ...facts,
  });
}

/** A score that is a value, of one trial. */
export function valued(key: string, sum: number): CaseScore[] {
  return [{ key, kind: 'value', sum, count: 1 }];
}

/** A score that is a value in each of these trials. */
export function valuedTrials(key: string, values: readonly number[]): CaseScore[] {
  const sum = values.reduce((all, one) => all + one, 0);
  return [{ key, kind: 'value', sum, count: values.length, values }];
}

/** Cases named 0, 1, 2 …, one for each character: `+` passed, `-` failed. */
export function verdicts(outcomes: string): EvalCase[] {
  return [...outcomes].map((outcome, i) => passed(String(i), outcome === '+' ? 1 : 0));
}
