import type { ListedRun } from '../../store/listing/run-json.js';
import type { StoredRun } from '../../store/stored-run.js';

/** A listed run with its current figures; `run.json` may lag behind by a second. */
export function listedNow(listed: ListedRun, run: StoredRun): ListedRun {
  const { total_pruned: _, code_versions: __, repeats: ___, ...before } = listed;
  const { total_evaluations, total_passed, total_errors, state, run_name, updated_at, ...head } =
    run.head();
  const { total_pruned, code_versions, repeats } = head;
  const { score_chips, pass_rate } = run.summary();
  return {
    ...before,
    ...(total_pruned !== undefined && { total_pruned }),
    ...(code_versions && { code_versions }),
    ...(repeats && { repeats }),
    run_name,
    updated_at,
    total_evaluations,
    total_passed,
    total_errors,
    state,
    score_chips,
    pass_rate,
  };
}
