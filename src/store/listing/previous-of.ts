import type { ListedRun } from './run-json.js';

/**
 * The previous run of a session, which figures are compared with; `undefined` for its first run. `runs` are those of the
 * session, newest first.
 */
export function previousOf(runs: readonly ListedRun[], runId: string): ListedRun | undefined {
  const place = runs.findIndex(({ run_id }) => run_id === runId);
  return place < 0 ? undefined : runs[place + 1];
}
