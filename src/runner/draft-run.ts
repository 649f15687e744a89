import { AssayError, shortageOf } from '../errors.js';
import type { RunOwner } from '../store/run-owner.js';
import type { Store } from '../store/store.js';
import type { StoredRun } from '../store/stored-run.js';
import { discover } from './discovery/discover.js';
import { type PlanRunOptions, planRun } from './planning/plan-run.js';
import { createExecutor, type Runner } from './runner.js';
import { unlessAborted } from './unless-aborted.js';

/** A run that can be read but has not started: what would run. */
export interface DraftRun {
  readonly run: StoredRun;
  /** Why the run is empty, or which files could not be imported. */
  readonly problem?: AssayError | undefined;
}

/**
 * Discovers evaluations and plans a run of them in a separate store, not in the runner's. If discovery fails, the
 * draft is empty.
 */
export async function draftRun(
  runner: Runner,
  scratch: Store,
  options: PlanRunOptions,
): Promise<DraftRun> {
  const executor = createExecutor(runner, options);
  try {
    const discovery = discover(runner, options.request, executor);
    const { evaluations, importProblem } = await unlessAborted(discovery, options.signal);
    const run = await kept(await planRun(scratch, executor, evaluations, options));
    return { run, problem: importProblem };
  } catch (error) {
    if (!(error instanceof AssayError) || options.signal?.aborted === true) throw error;
    // A temporary shortage of resources is no reason to show an empty run.
    if (shortageOf(error) !== undefined) throw error;
    return { run: await kept(await planRun(scratch, executor, [], options)), problem: error };
  } finally {
    executor.close();
  }
}

async function kept(owner: RunOwner): Promise<StoredRun> {
  await owner.release();
  return owner.run;
}
