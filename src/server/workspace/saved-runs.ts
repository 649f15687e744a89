import { AssayError } from '../../errors.js';
import type { ResultEntry } from '../../model/result.js';
import type { Started } from '../../runner/runner-dependencies.js';
import { liveHolder } from '../../store/lock/lock.js';
import type { BulkChange, ResultChange } from '../../store/log/edited-record.js';
import type { StoredRun } from '../../store/stored-run.js';
import { inProgressOf, unlessHeld } from './in-progress.js';
import type { Workspace } from './workspace.js';

/** Edits, renames and deletes the runs of a workspace. */
export class SavedRuns {
  readonly #workspace: Workspace;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Changes a result of any saved run, of the active one without an id. Errors: those of `StoredRun.edit` and of `check`, `not-started`. */
  async edit(
    runId: string | undefined,
    index: number,
    change: ResultChange,
    check?: (entry: ResultEntry) => void,
  ): Promise<ResultEntry> {
    return this.#changing(runId, [index], (run) => run.edit(index, change, check));
  }

  /** Changes many results as {@link edit} changes one. */
  async editMany(runId: string | undefined, indices: readonly number[], change: BulkChange) {
    return this.#changing(runId, indices, (run) => run.editMany(indices, change));
  }

  #changing<T>(
    runId: string | undefined,
    indices: readonly number[],
    change: (run: StoredRun) => Promise<T>,
  ): Promise<T> {
    return this.#workspace.using(runId, async (run) => {
      if (this.#workspace.isDraft(run)) {
        for (const index of indices) run.entry(index);
        throw new AssayError(
          'not-started',
          'This run has not started, so there is nothing to edit.',
        );
      }
      // Also after a failure: a change that the disk does not confirm is made all the same.
      return change(run).finally(() => this.#workspace.feed.take({ type: 'run', run }));
    });
  }

  /** Renames a run and returns the saved name. */
  async renameRun(runId: string, name: string): Promise<string> {
    return this.#workspace.using(runId, async (run) => {
      await run.rename(name);
      this.#workspace.feed.take({ type: 'run', run });
      this.#workspace.feed.take({ type: 'sessions' });
      return run.header.run_name;
    });
  }

  /** Deletes a saved run; a fresh one takes its place when it was active. Errors: `no-such-run`, `busy`, `not-started`. */
  async deleteRun(runId: string): Promise<void> {
    this.#refuseExecuting((started) => started.run_id === runId);
    if (this.#workspace.next.current?.run.runId === runId) {
      throw new AssayError('not-started', 'This run has not started; nothing is saved.');
    }
    await this.#workspace.slot.closed();
    await unlessHeld(
      () => this.#workspace.read(runId),
      () => this.#workspace.store.deleteRun(runId),
    );
    await this.#workspace.forget([runId]);
  }

  /** Deletes all runs of a session. Errors: `no-such-session`, `busy`. */
  async deleteSession(name: string): Promise<void> {
    this.#refuseExecuting(({ owner }) => owner.run.header.session_name === name);
    await this.#workspace.slot.closed();
    const runs = await this.#workspace.store.listRuns(name);
    const held = () => runs.find(({ folder }) => liveHolder(folder) !== undefined)?.run_id;
    await unlessHeld(
      async () => {
        const runId = held();
        return runId === undefined ? undefined : this.#workspace.read(runId);
      },
      () => this.#workspace.store.deleteSession(name),
    );
    await this.#workspace.forget(runs.map((run) => run.run_id));
  }

  /** Names the run that starts next; the not-started run takes it at once. Error: `bad-request`. */
  async nameNextRun(name: string): Promise<string> {
    const kept = this.#workspace.next.giveName(name);
    const draft = this.#workspace.next.current;
    if (draft !== undefined) await this.renameRun(draft.run.runId, kept);
    return kept;
  }

  #refuseExecuting(isMeant: (started: Started) => boolean): void {
    const { started } = this.#workspace.slot;
    if (started === undefined || !isMeant(started)) return;
    throw new AssayError('busy', `${started.run_name} is in progress, so it cannot be deleted.`, {
      hints: ['Stop it first.'],
      inProgress: inProgressOf(started.owner.run),
    });
  }
}
