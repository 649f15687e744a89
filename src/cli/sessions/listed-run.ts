import { prunedAndVersions } from '../../model/code-versions.js';
import type { RunSummary } from '../../model/run.js';
import type { ListedRun } from '../../store/run-document.js';

/** Converts a listed run to JSON, without the fields that only the store needs. */
export function toListedRunJson(run: ListedRun): RunSummary {
  return {
    run_id: run.run_id,
    run_name: run.run_name,
    total_evaluations: run.total_evaluations,
    total_passed: run.total_passed,
    total_errors: run.total_errors,
    ...prunedAndVersions(run),
    timestamp: run.timestamp,
    started_at: run.started_at,
    updated_at: run.updated_at,
    state: run.state,
    config_name: run.config_name,
    score_chips: run.score_chips,
    pass_rate: run.pass_rate,
  };
}
