import { type GroupBy, isPlannedValue } from '../../model/summary/row-groups.js';
import { isPlanned } from '../../server/rows/groups.js';
import type { StoredRun } from '../../store/stored-run.js';

/** True when the value that results are grouped by is authored; of a run from a file, no metadata is known to be set later. */
export async function isPlannedIn(run: StoredRun | undefined, by: GroupBy): Promise<boolean> {
  return run === undefined
    ? isPlannedValue(by)
    : isPlanned({ rows: run.rows, file: run.log.file }, by);
}
