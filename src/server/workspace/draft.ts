import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  /** Why nothing is in it, when nothing could be found. */
  readonly problem: string | undefined;
  readonly #folder: string;

  private constructor(folder: string, { run, problem }: DraftRun) {
    this.#folder = folder;
    this.run = run;
    this.problem = problem?.message;
    process.once('exit', this.#remove);
  }

  static async plan(runner: Runner, options: PlanRunOptions): Promise<Draft> {
    const folder = mkdtempSync(join(tmpdir(), 'assay-serve-'));
    try {
      return new Draft(folder, await draftRun(runner, new Store(folder), options));
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Removes everything of it; whoever reads it at this moment can finish. */
  async dispose(): Promise<void> {
    await this.run.close().catch(() => undefined);
    process.off('exit', this.#remove);
    this.#remove();
  }

  readonly #remove = (): void => rmSync(this.#folder, { recursive: true, force: true });
}
