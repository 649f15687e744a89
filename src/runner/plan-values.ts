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
 * memory together. `isNews` may leave out rows whose plan is in the log already.
 */
export async function planValues(
  owner: RunOwner,
  executor: Executor,
  rows: readonly PlacedRow[],
  isNews: (plan: RowPlan) => boolean = () => true,
): Promise<void> {
  const placed = new Map<string, PlacedRow[]>();
  for (const one of rows) {
    const id = one.row.trial_of ?? one.row.id;
    const trials = placed.get(id);
    if (trials === undefined) placed.set(id, [one]);
    else trials.push(one);
  }
  await executor.describe([...placed.keys()], (values) => {
    const plans = values.flatMap((one) =>
      (placed.get(one.id) ?? []).map((place) => rowPlan(place, one)),
    );
    const news = plans.filter(isNews);
    if (news.length > 0) owner.plan(news);
  });
}

function rowPlan({ index, row }: PlacedRow, values: DescribedValues): RowPlan {
  const { input, reference, metadata } = values;
  return { index, ...row, input, reference, metadata };
}
