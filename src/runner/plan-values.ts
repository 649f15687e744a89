import type { DescribedValues } from '../protocol/messages.js';
import type { PlannedRow as RowPlan, RunOwner } from '../store/run-owner.js';
import type { Executor } from './executor.js';
import type { PlannedRow } from './plan.js';

/** A row and its place in the run. */
export interface PlacedRow {
  readonly index: number;
  readonly row: PlannedRow;
}

/**
 * Writes rows with their authored values into the log, a few at a time: the values of a large run never are in
 * memory together. The trials of an evaluation follow each other in `rows`. `isNews` may leave out rows whose plan
 * is in the log already.
 */
export async function planValues(
  owner: RunOwner,
  executor: Executor,
  rows: readonly PlacedRow[],
  isNews: (plan: RowPlan) => boolean = () => true,
): Promise<void> {
  const ids = rows
    .map(({ row }) => row.trial_of ?? row.id)
    .filter((id, at, all) => id !== all[at - 1]);
  let next = 0;
  await executor.describe(ids, (values) => {
    const plans: RowPlan[] = [];
    for (const one of values) {
      while (next < rows.length && baseId(rows[next]) !== one.id) next += 1;
      for (let row = rows[next]; row !== undefined && baseId(row) === one.id; row = rows[next]) {
        plans.push(rowPlan(row, one));
        next += 1;
      }
    }
    const news = plans.filter(isNews);
    if (news.length > 0) owner.plan(news);
  });
}

function baseId(placed: PlacedRow | undefined): string | undefined {
  return placed?.row.trial_of ?? placed?.row.id;
}

function rowPlan({ index, row }: PlacedRow, values: DescribedValues): RowPlan {
  const { input, reference, metadata } = values;
  return { index, ...row, input, reference, metadata };
}
