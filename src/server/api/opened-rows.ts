import type { StoredRun } from '../../store/stored-run.js';
import type { RowFilter } from '../rows/filters.js';
import type { RowTable } from '../rows/row-table.js';
import type { OnEnd } from '../workspace/workspace.js';

/** The table of a run, and the filter of a request for it, with the results that are out of date if it asks for them. */
interface OpenedRows {
  readonly run: StoredRun;
  readonly filter: RowFilter;
  readonly table: RowTable;
  /** What the version of the answer needs besides that of the table. */
  readonly more: string;
}

/** Opens the rows of a run for a request. */
export type OpenRows = (runId: string, query: RowFilter, onEnd: OnEnd) => Promise<OpenedRows>;

/** The order of the run. */
export const byIndex = { by: 'index', descending: false } as const;

/** Why the filter may miss results that are out of date, if it asks for them. */
export function problemOf({ outdated }: RowFilter): { readonly problem?: string } {
  return outdated?.problem === undefined ? {} : { problem: outdated.problem };
}
