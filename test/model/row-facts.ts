import type { RowFacts } from '../../src/model/result.js';

/** A row with the given facts; else a completed one without scores. */
export function rowFacts(facts: Partial<RowFacts> = {}): RowFacts {
  return {
    id: 'a.eval.ts::greet',
    evaluation: 'a.eval.ts::greet',
    function: 'greet',
    dataset: 'a',
    labels: [],
    status: 'completed',
    latency: null,
    scores: [],
    ...facts,
  };
}

/** Trials of one evaluation: `+` passed, `-` failed, `!` an error, `?` not yet started. */
export function trialRows(name: string, outcomes: string): RowFacts[] {
  return [...outcomes].map((outcome, i) =>
    rowFacts({
      id: `a.eval.ts::${name}~${i + 1}`,
      evaluation: `a.eval.ts::${name}`,
      function: name,
      trial: i + 1,
      trial_of: `a.eval.ts::${name}`,
      ...(outcome === '!' ? { status: 'error' } : {}),
      ...(outcome === '?' ? { status: 'not_started' } : {}),
      scores:
        outcome === '+' || outcome === '-' ? [{ key: 'correctness', passed: outcome === '+' }] : [],
    }),
  );
}
