import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AssayError } from '../../errors.js';
import { type DraftRun, draftRun } from '../../runner/draft-run.js';
import type { PlanRunOptions } from '../../runner/plan-run.js';
import type { Runner } from '../../runner/runner.js';
import { Store } from '../../store/store.js';
import type { StoredRun } from '../../store/stored-run.js';

/**
 * The not-started run: what was discovered, as a run that can be read, exported and renamed. It lives in a temporary
 * folder of its own until it starts.
 */
export class Draft {
  readonly run: StoredRun;
  /** Why nothing is in it, or what could not be imported. */
  readonly problem: AssayError | undefined;
  readonly #removeFolder: () => void;

  private constructor({ run, problem }: DraftRun, removeFolder: () => void) {
    this.run = run;
    this.problem = problem;
    this.#removeFolder = removeFolder;
  }

  /** Discovers what there is. Errors: what `signal` was aborted with, and those of the disk. */
  static async plan(runner: Runner, options: PlanRunOptions): Promise<Draft> {
    const folder = mkdtempSync(join(tmpdir(), 'assay-serve-'));
    const removeFolder = () => {
      process.off('exit', removeFolder);
      rmSync(folder, { recursive: true, force: true });
    };
    // From now on: importing may take long, and the process may end meanwhile.
    process.once('exit', removeFolder);
    try {
      return new Draft(await draftRun(runner, new Store(folder), options), removeFolder);
    } catch (error) {
      removeFolder();
      throw error;
    }
  }

  /** Removes everything of it; whoever reads it at this moment can finish. */
  async dispose(): Promise<void> {
    await this.run.close().catch(() => undefined);
    this.#removeFolder();
  }
}
