import { AssayError } from '../../errors.js';
import type { StoredRun } from '../../store/stored-run.js';
import { findFiles } from '../discovery/find-files.js';
import { storedRequest } from '../rerun.js';
import type { RunnerDependencies } from '../runner-dependencies.js';
import { checkStoredFiles } from './check-eval-files.js';

/**
 * Why a saved run can be viewed and edited, but not run or regraded; `undefined` if nothing is known to prevent it.
 * Imports nothing.
 */
export async function viewOnlyReason(
  runner: RunnerDependencies,
  run: StoredRun,
): Promise<string | undefined> {
  if (run.readOnly) return run.problems[0];
  const request = storedRequest(run);
  try {
    const { files } = await findFiles({ ...request, cwd: runner.cwd });
    await checkStoredFiles(files, request.storedEvaluations ?? new Set(), runner.roots);
    return undefined;
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    return error.message;
  }
}
