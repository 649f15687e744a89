import { rmSync } from 'node:fs';
import { AssayError, shortageOf } from '../../errors.js';
import { makeTemporaryFolder } from '../../files/temporary-folder.js';
import { discover } from '../../runner/discovery/discover.js';
import { type PlanRunOptions, planRun } from '../../runner/planning/plan-run.js';
import { createExecutor, type RunnerDependencies } from '../../runner/runner-dependencies.js';
import { unlessAborted } from '../../runner/unless-aborted.js';
import type { RunOwner } from '../../store/run-owner.js';
import { Store } from '../../store/store.js';
import type { StoredRun } from '../../store/stored-run.js';

/**
 * The not-started run: the discovered evaluations, as a run that can be read, exported and renamed. It is in a
 * temporary folder until it starts.
 */
export class DraftRun {
  readonly run: StoredRun;
  /** The reason why it is empty, or the files that could not be imported. */
  readonly problem: AssayError | undefined;
  readonly #removeFolder: () => void;

  private constructor({ run, problem }: Planned, removeFolder: () => void) {
    this.run = run;
    this.problem = problem;
    this.#removeFolder = removeFolder;
  }

  /** Discovers evaluations. Errors: the abort reason of `signal`, and those of the disk. */
  static async plan(runner: RunnerDependencies, options: PlanRunOptions): Promise<DraftRun> {
    const folder = makeTemporaryFolder();
    const removeFolder = () => {
      process.off('exit', removeFolder);
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 10 });
    };
    // From now on, because importing may take long and the process may end meanwhile.
    process.once('exit', removeFolder);
    try {
      return new DraftRun(await planDraft(runner, new Store(folder), options), removeFolder);
    } catch (error) {
      removeFolder();
      throw error;
    }
  }

  /** Removes the draft; current readers can finish. */
  async dispose(): Promise<void> {
    await this.run.closeWhenUnused().catch(() => undefined);
    this.#removeFolder();
  }
}

interface Planned {
  readonly run: StoredRun;
  /** The reason why the run is empty, or the files that could not be imported. */
  readonly problem?: AssayError | undefined;
}

/**
 * Discovers evaluations and plans a run of them in a store of its own. If discovery fails, the
 * draft is empty.
 */
async function planDraft(
  runner: RunnerDependencies,
  scratch: Store,
  options: PlanRunOptions,
): Promise<Planned> {
  const executor = createExecutor(runner, options, 'look');
  try {
    const discovery = discover(runner, options.request, executor);
    const { evaluations, importProblem } = await unlessAborted(discovery, options.signal);
    const run = await released(await planRun(scratch, executor, evaluations, options));
    return { run, problem: importProblem };
  } catch (error) {
    if (!(error instanceof AssayError) || options.signal?.aborted === true) throw error;
    // A temporary shortage of resources is no reason to show an empty run.
    if (shortageOf(error) !== undefined) throw error;
    return { run: await released(await planRun(scratch, executor, [], options)), problem: error };
  } finally {
    executor.close();
  }
}

async function released(owner: RunOwner): Promise<StoredRun> {
  await owner.release();
  return owner.run;
}
