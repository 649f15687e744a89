import type { RowFacts } from '../../model/result.js';
import type { StoredRun } from '../../store/stored-run.js';
import type { CurrentTable, RowTableCache } from '../rows/row-table-cache.js';

/** The rows of a run at one moment, for comparing. */
export interface RunMoment {
  readonly runId: string;
  /** Unique per moment. */
  readonly version: string;
  readonly rows: readonly RowFacts[];
}

/** A run and its rows at one moment, with access to their values. */
export interface RunAtMoment extends CurrentTable {
  readonly run: StoredRun;
}

/** The current state of a run, with the attempts that count. */
export function atThisMoment(run: StoredRun, tables: RowTableCache): RunAtMoment {
  return { run, ...tables.counted(run) };
}

/** The part of a run that is compared. */
export function toMoment({ run, table, version }: RunAtMoment): RunMoment {
  return { runId: run.runId, version, rows: table.rows };
}
