import type { ComparisonSummary } from '../../compare/compare-cases.js';
import { prunedAndVersions } from '../../model/code-versions.js';
import type { RunSummary } from '../../model/run.js';
import type { ListedRun } from '../../store/run-document.js';

/** The run before in the session, with the figures of its `run.json`: plain JSON. */
export type PreviousRun = Pick<
  RunSummary,
  | 'run_id'
  | 'run_name'
  | 'timestamp'
  | 'started_at'
  | 'updated_at'
  | 'total_evaluations'
  | 'total_passed'
  | 'total_errors'
  | 'total_pruned'
  | 'code_versions'
  | 'score_chips'
>;

/** The run before in the session, compared: plain JSON. */
export interface ComparedPrevious extends PreviousRun {
  /** The run against it; `null` while that is not known yet, and when one of them cannot be read. */
  readonly comparison: ComparisonSummary | null;
  /** False when `comparison` is not that of this moment. */
  readonly is_current: boolean;
}

/** A run in a listing, with the one before. */
export interface RunWithPrevious extends RunSummary {
  /** `null` when it is the first run of its session. */
  readonly previous: ComparedPrevious | null;
}

/** What a run shows of the one before. */
export function toPreviousRun(run: ListedRun): PreviousRun {
  return {
    run_id: run.run_id,
    run_name: run.run_name,
    timestamp: run.timestamp,
    started_at: run.started_at,
    updated_at: run.updated_at,
    total_evaluations: run.total_evaluations,
    total_passed: run.total_passed,
    total_errors: run.total_errors,
    ...prunedAndVersions(run),
    score_chips: run.score_chips,
  };
}
