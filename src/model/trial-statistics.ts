import { isFinished, passes, type RowFacts } from './result.js';
import type { TrialFields } from './run.js';
import { estimateByK, type TrialOutcome } from './trial-bootstrap.js';

/** Trials of one evaluation, case by case. */
interface TrialCounts {
  trials: number;
  finished: number;
  passed: number;
}

/**
 * Trial fields of a run, `undefined` when no row is a trial. `pass_at_k` and `pass_all_k` are shares of all
 * evaluations that have trials, by what has passed so far: a trial that has not finished has not passed.
 * `trial_statistics` knows finished trials only, and has an entry for every k that some evaluation reaches.
 */
export function trialFields(rows: readonly RowFacts[]): TrialFields | undefined {
  const evaluations = countTrials(rows);
  if (evaluations.length === 0) return undefined;
  let trials = 0;
  let anyPassed = 0;
  let allPassed = 0;
  let flaky = 0;
  for (const counts of evaluations) {
    trials = Math.max(trials, counts.trials);
    if (counts.passed > 0) anyPassed += 1;
    if (counts.passed === counts.trials) allPassed += 1;
    if (counts.passed > 0 && counts.passed < counts.finished) flaky += 1;
  }
  return {
    trials,
    pass_at_k: anyPassed / evaluations.length,
    pass_all_k: allPassed / evaluations.length,
    trial_statistics: { flaky, by_k: estimateByK(countOutcomes(evaluations)) },
  };
}

function countTrials(rows: readonly RowFacts[]): TrialCounts[] {
  const byEvaluation = new Map<string, TrialCounts>();
  let lastId: string | undefined;
  let last: TrialCounts | undefined;
  for (const row of rows) {
    const id = row.trial_of;
    if (id === undefined) continue;
    // Trials of one evaluation mostly stand together; comparing is cheaper than looking up.
    let counts = id === lastId ? last : byEvaluation.get(id);
    if (counts === undefined) {
      counts = { trials: 0, finished: 0, passed: 0 };
      byEvaluation.set(id, counts);
    }
    counts.trials += 1;
    if (isFinished(row)) counts.finished += 1;
    if (passes(row)) counts.passed += 1;
    lastId = id;
    last = counts;
  }
  return [...byEvaluation.values()];
}

function countOutcomes(evaluations: readonly TrialCounts[]): TrialOutcome[] {
  const byPassed = new Map<number, Map<number, number>>();
  for (const { finished, passed } of evaluations) {
    let counts = byPassed.get(finished);
    if (counts === undefined) {
      counts = new Map();
      byPassed.set(finished, counts);
    }
    counts.set(passed, (counts.get(passed) ?? 0) + 1);
  }
  return [...byPassed].flatMap(([n, counts]) =>
    [...counts].map(([c, count]) => ({ n, c, evaluations: count })),
  );
}
