import type { RunState } from '../../model/run.js';
import type { StoredRun } from '../../store/stored-run.js';

/** The progress of a run at one moment, as JSON. */
export interface ExecutionProgress {
  readonly state: RunState;
  /** The number of results selected for the current or last execution. */
  readonly selected_total: number;
  /** The number of pending and running results. */
  readonly unfinished: number;
  readonly running: number;
}

/** The current progress of a run, regardless of filters. */
export function progressOf({ state, selectedTotal, rows }: StoredRun): ExecutionProgress {
  let running = 0;
  let pending = 0;
  for (const { status } of rows) {
    if (status === 'running') running += 1;
    else if (status === 'pending') pending += 1;
  }
  return { state, selected_total: selectedTotal, unfinished: running + pending, running };
}
