import { filterRows } from '../../runner/saved-run/filter-rows.js';
import type { StoredRun } from '../../store/stored-run.js';

/** The rows that a resume would run. */
export function rowsLeft(run: StoredRun): number[] {
  if (run.state === 'interrupted') return pendingRows(run);
  if (run.head().outcome !== 'budget') return [];
  const filter = { datasets: [], labels: [], paths: [], refused: run.refused };
  return filterRows(run.rows, { ...filter, only: ['unfinished'] });
}

/** The rows that an interrupted run has left. */
export function pendingRows(run: StoredRun): number[] {
  return [...run.rows.keys()].filter((index) => {
    const row = run.rows[index];
    return row?.status === 'pending' && row.pruned !== true;
  });
}
