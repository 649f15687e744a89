import { caseIdOf } from '../model/result.js';
import type { ScoreRules } from '../model/score-rule.js';
import type { DescribedValues } from '../protocol/messages.js';
import type { PlannedRow as RowPlan, RunOwner } from '../store/run-owner.js';
import type { Executor } from './executor.js';
import type { PlannedRow } from './plan.js';

/** A row and its index in the run. */
export interface PlacedRow {
  readonly index: number;
  readonly row: PlannedRow;
}

export interface ValuesToPlan {
  /** Case ids, in the order of `rows`. */
  readonly ids: readonly string[];
  /** The trials of a case are adjacent. */
  readonly rows: Iterable<PlacedRow>;
  /** The score rules of a case. */
  readonly rulesOf: (id: string) => ScoreRules | undefined;
  /** False for a plan that is already in the log. */
  readonly isChanged?: (plan: RowPlan) => boolean;
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
    const plans: RowPlan[] = [];
    for (const one of values) {
      const rules = rulesOf(one.id);
      while (next.done !== true && caseIdOf(next.value.row) !== one.id) next = iterator.next();
      while (next.done !== true && caseIdOf(next.value.row) === one.id) {
        plans.push({ ...rowPlan(next.value, one), ...(rules && { score_rules: rules }) });
        next = iterator.next();
      }
    }
    const changed = plans.filter(isChanged);
    if (changed.length > 0) owner.plan(changed);
  });
}

function rowPlan({ index, row }: PlacedRow, values: DescribedValues): RowPlan {
  return {
    index,
    id: row.id,
    evaluation: row.evaluation,
    function: row.function,
    dataset: row.dataset,
    labels: row.labels,
    trial: row.trial,
    trial_of: row.trial_of,
    line: row.line,
    input: values.input,
    reference: values.reference,
    metadata: values.metadata,
  };
}
