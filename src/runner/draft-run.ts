import { AssayError, shortageOf } from '../errors.js';
import type { RunOwner } from '../store/run-owner.js';
import type { Store } from '../store/store.js';
import type { StoredRun } from '../store/stored-run.js';
import { discover } from './discover.js';
import { type PlanRunOptions, planRun } from './plan-run.js';
import { createExecutor, type Runner } from './runner.js';
import { unlessAborted } from './unless-aborted.js';

/** What would run, as a run that can be read but has not started. */
export interface DraftRun {
  readonly run: StoredRun;
  /** Why there is nothing, or what could not be imported. */
  readonly problem?: AssayError | undefined;
}

/**
 * Discovers evaluations and plans a run of them in a store of its own; nothing of it is in the runner's store.
 * What keeps evaluations from being found does not keep the run from being there: it is empty then.
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
    // Evaluations that cannot be looked for at this moment are no reason to show none.
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
