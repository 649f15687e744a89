import { AssayError } from '../../errors.js';
import type { LookedAt } from '../../model/code/looked-at.js';
import { type ChangedResult, findChanges } from '../../runner/find-changes.js';
import { savedRunConfig } from '../../runner/planning/stored-request.js';
import type { RunnerDependencies } from '../../runner/runner-dependencies.js';
import type { Settings } from '../../settings/settings.js';
import type { StoredRun } from '../../store/stored-run.js';
import { LruMap } from '../cache.js';
import type { OutdatedRows } from '../rows/filters.js';
import { inProgressOf } from './progress.js';

/** What of a run is out of date, as of one moment. */
export interface RunCheck {
  /** Changes with every new check. */
  readonly version: string;
  readonly results: readonly ChangedResult[];
  /** The number of results that a rerun of everything would add. */
  readonly added: number;
  /** The number of results whose evaluation no longer exists. */
  readonly gone: number;
  /** Files that could not be imported, or the reason why nothing is known. */
  readonly problem: AssayError | undefined;
}

/** The parts of the workspace that checks depend on. */
export interface CheckedRuns {
  readonly runner: RunnerDependencies;
  isDraft(run: StoredRun): boolean;
  readSettings(): Promise<Settings>;
}

const nothing = { results: [], added: 0, gone: 0, problem: undefined } as const;

interface Kept {
  readonly key: string;
  readonly check: Promise<RunCheck>;
  /** Its answer, when it is there. */
  done?: RunCheck;
}

/** The number of runs whose checks are cached. */
const keptChecks = 8;

/** Finds out which results of runs are out of date: once for each run, until a file is saved or the run executes. */
export class RunChecks {
  readonly #workspace: CheckedRuns;
  readonly #onLooks: (looks: readonly LookedAt[], since: number) => void;
  readonly #checks = new LruMap<Kept>(keptChecks);
  readonly #closing = new AbortController();
  /** Ends the check in progress, which is out of date. */
  #stale = new AbortController();
  #last: Promise<unknown> = Promise.resolve();
  #saves = 0;
  #savedAt = Number.NEGATIVE_INFINITY;
  #made = 0;

  /** `onLooks`: called with the paths that results depend on, which were looked at after `since`. */
  constructor(
    workspace: CheckedRuns,
    onLooks: (looks: readonly LookedAt[], since: number) => void,
  ) {
    this.#workspace = workspace;
    this.#onLooks = onLooks;
  }

  /** Files of the project were saved: earlier checks no longer count. */
  noteSave(): void {
    this.#saves += 1;
    this.#savedAt = Date.now();
    this.#stale.abort();
    this.#stale = new AbortController();
  }

  /** What of a run is out of date. Error: `busy` while it is in progress. */
  of(run: StoredRun): Promise<RunCheck> {
    if (isInProgress(run)) return Promise.reject(busy(run));
    const known = this.#known(run);
    if (known !== undefined) return known.check;
    const { signal } = this.#stale;
    // One after the other, because each starts a process.
    const made = this.#last.then(() =>
      this.#check(run, AbortSignal.any([this.#closing.signal, signal])),
    );
    this.#last = made.catch(() => undefined);
    const check = made.catch((error: unknown) => {
      if (!signal.aborted || this.#closing.signal.aborted) throw error;
      return this.of(run);
    });
    const kept: Kept = { key: this.#keyOf(run), check };
    this.#checks.set(run.runId, kept);
    check.then(
      (done) => {
        kept.done = done;
      },
      () => {
        if (this.#checks.get(run.runId) === kept) this.#checks.delete(run.runId);
      },
    );
    return check;
  }

  /** Why results of a run are out of date, by index: as far as it has been found out, without waiting for more. */
  reasonsOf(run: StoredRun): ReadonlyMap<number, string> {
    const results = this.#known(run)?.done?.results ?? [];
    return new Map(results.map(({ index, reason }) => [index, reason]));
  }

  #known(run: StoredRun): Kept | undefined {
    const kept = this.#checks.get(run.runId);
    return kept?.key === this.#keyOf(run) ? kept : undefined;
  }

  #keyOf({ executions }: StoredRun): string {
    return `${this.#saves} ${executions.length}`;
  }

  /**
   * The results of a run that are out of date; while it is in progress, those that were before. Error: `busy` if these
   * are not known.
   */
  async changedRows(run: StoredRun): Promise<OutdatedRows> {
    const before = isInProgress(run) ? this.#checks.get(run.runId)?.check : undefined;
    const { version, results, problem } = await (before ?? this.of(run));
    const indices = new Set(results.map(({ index }) => index));
    return { version, indices, problem: problem?.message };
  }

  /** Ends the check in progress. */
  async close(): Promise<void> {
    this.#closing.abort(new AssayError('stopped', 'The server is being stopped.'));
    await this.#last;
  }

  async #check(run: StoredRun, signal: AbortSignal): Promise<RunCheck> {
    this.#made += 1;
    const version = String(this.#made);
    const workspace = this.#workspace;
    if (workspace.isDraft(run)) return { version, ...nothing };
    const since = Date.now();
    const end = run.use();
    try {
      const config = savedRunConfig(
        run.header,
        await workspace.readSettings(),
        workspace.runner.env,
      );
      const settings = { config, streamLogs: false };
      const found = await findChanges(workspace.runner, run, settings, signal);
      this.#onLooks(found.looks, since);
      const { results, added, gone, importProblem: problem } = found;
      const isOld = this.#savedAt > run.header.created_at_ms;
      const kept = results.filter(({ isUncertain }) => isOld || !isUncertain);
      return { version, results: kept, added, gone, problem };
    } catch (error) {
      if (!(error instanceof AssayError) || signal.aborted) throw error;
      return { version, ...nothing, problem: error };
    } finally {
      end();
    }
  }
}

function isInProgress({ state }: StoredRun): boolean {
  return state === 'running' || state === 'paused';
}

function busy(run: StoredRun): AssayError {
  return new AssayError('busy', `${run.header.run_name} is in progress.`, {
    hints: ['Its results are checked when it has ended.'],
    inProgress: inProgressOf(run),
  });
}
