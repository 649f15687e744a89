import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AssayError, hasSystemCode } from '../../errors.js';
import { namesIn } from '../../files/regular-file.js';
import { makeTemporaryFolder } from '../../files/temporary-folder.js';
import { type DraftRun, draftRun } from '../../runner/draft-run.js';
import type { PlanRunOptions } from '../../runner/planning/plan-run.js';
import type { Runner } from '../../runner/runner.js';
import { Store } from '../../store/store.js';
import type { StoredRun } from '../../store/stored-run.js';

const folderName = 'assay-serve-';

/**
 * The not-started run: the discovered evaluations, as a run that can be read, exported and renamed. It is in a
 * temporary folder until it starts.
 */
export class Draft {
  readonly run: StoredRun;
  /** Why it is empty, or which files could not be imported. */
  readonly problem: AssayError | undefined;
  readonly #removeFolder: () => void;

  private constructor({ run, problem }: DraftRun, removeFolder: () => void) {
    this.run = run;
    this.problem = problem;
    this.#removeFolder = removeFolder;
  }

  /** Discovers evaluations. Errors: the abort reason of `signal`, and those of the disk. */
  static async plan(runner: Runner, options: PlanRunOptions): Promise<Draft> {
    sweepDead();
    const folder = makeTemporaryFolder(`${folderName}${process.pid}-`);
    const removeFolder = () => {
      process.off('exit', removeFolder);
      rmSync(folder, { recursive: true, force: true });
    };
    // From now on, because importing may take long and the process may end meanwhile.
    process.once('exit', removeFolder);
    try {
      return new Draft(await draftRun(runner, new Store(folder), options), removeFolder);
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

/** Removes drafts of servers that were killed. */
function sweepDead(): void {
  for (const name of namesIn(tmpdir())) {
    const pid = /^assay-serve-(\d+)-\w+$/.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // It belongs to another user.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasSystemCode(error, 'ESRCH');
  }
}
