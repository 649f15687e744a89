import { caseIdOf } from '../../model/result.js';
import type { ScoreRules } from '../../model/scores/score-rule.js';
import type { PlannedRow, RunOwner } from '../../store/run-owner.js';
import type { Executor } from '../executor.js';
import type { PlannedTrial } from './plan-rows.js';

export interface ValuesToPlan {
  /** Case ids, in the order of `rows`. */
  readonly ids: readonly string[];
  /** The trials of a case are adjacent. */
  readonly rows: Iterable<PlannedTrial>;
  /** The score rules of a case. */
  readonly rulesOf: (id: string) => ScoreRules | undefined;
  /** False for a plan that is already in the log. */
  readonly isChanged?: (plan: PlannedRow) => boolean;
}

/**
 * Writes rows with their authored values to the log, a few at a time, so that neither the rows nor the values of a
 * large run are in memory together.
 */
export async function planValues(
  owner: RunOwner,
  executor: Executor,
  { ids, rows, rulesOf, isChanged = () => true }: ValuesToPlan,
): Promise<void> {
  const iterator = rows[Symbol.iterator]();
  let next = iterator.next();
  await executor.describe(ids, (values) => {
    const plans: PlannedRow[] = [];
    for (const { id, input, reference, metadata } of values) {
      const rules = rulesOf(id);
      while (next.done !== true && caseIdOf(next.value) !== id) next = iterator.next();
      while (next.done !== true && caseIdOf(next.value) === id) {
        const row = { ...next.value, input, reference, metadata };
        plans.push(rules === undefined ? row : { ...row, score_rules: rules });
        next = iterator.next();
      }
    }
    const changed = plans.filter(isChanged);
    if (changed.length > 0) owner.plan(changed);
  });
}
