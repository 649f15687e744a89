import { AssayError } from '../../errors.js';
import type { StoredRun } from '../../store/stored-run.js';
import { findRequested } from '../discovery/discover.js';
import { storedRequest } from '../rerun.js';
import type { RunnerDependencies } from '../runner-dependencies.js';

/**
 * Why a saved run can be viewed and edited, but not run or regraded; `undefined` if nothing is known to prevent it.
 * Imports nothing.
 */
export async function viewOnlyReason(
  runner: RunnerDependencies,
  run: StoredRun,
): Promise<string | undefined> {
  if (run.readOnly) return run.problems[0];
  try {
    await findRequested(runner, storedRequest(run));
    return undefined;
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    return error.message;
  }
}
