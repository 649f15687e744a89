import type { RunSummary } from '../../model/run.js';
import type { ListedRun } from '../../store/run-document.js';

/** The run before in the session, with the figures of its `run.json`: plain JSON. */
export type PreviousRun = Pick<
  RunSummary,
  | 'run_id'
  | 'run_name'
  | 'timestamp'
  | 'total_evaluations'
  | 'total_passed'
  | 'total_errors'
  | 'score_chips'
>;

/** A run in a listing, with the one before. */
export interface RunWithPrevious extends RunSummary {
  /** `null` when it is the first run of its session. */
  readonly previous: PreviousRun | null;
}

/** What a run shows of the one before. */
export function toPreviousRun(run: ListedRun): PreviousRun {
  return {
    run_id: run.run_id,
    run_name: run.run_name,
    timestamp: run.timestamp,
    total_evaluations: run.total_evaluations,
    total_passed: run.total_passed,
    total_errors: run.total_errors,
    score_chips: run.score_chips,
  };
}
