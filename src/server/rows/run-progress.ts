import type { RunState } from '../../model/run.js';
import type { StoredRun } from '../../store/stored-run.js';

/** How far a run has come at one moment: plain JSON. */
export interface RunProgress {
  readonly state: RunState;
  /** How many results the execution in progress, or the last one, was asked to run. */
  readonly selected_total: number;
  /** How many results are pending or running. */
  readonly unfinished: number;
  readonly running: number;
}

/** How far a run has come at this moment, whatever filter its rows are read with. */
export function progressOf({ state, selectedTotal, rows }: StoredRun): RunProgress {
  let running = 0;
  let pending = 0;
  for (const { status } of rows) {
    if (status === 'running') running += 1;
    else if (status === 'pending') pending += 1;
  }
  return { state, selected_total: selectedTotal, unfinished: running + pending, running };
}
