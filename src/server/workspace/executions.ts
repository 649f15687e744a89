import { type Regrade, type RegradeOptions, regrade } from '../../runner/regrade.js';
import { rerun, storedRequest } from '../../runner/rerun.js';
import type { ExecutionSettings, Started } from '../../runner/runner-dependencies.js';
import { savedRunConfig } from '../../runner/saved-run/saved-run-config.js';
import { startRun } from '../../runner/start-run.js';
import { checkCreatableFolder } from '../../settings/creatable-folder.js';
import { type ResolvedRunConfig, resolveRunConfig } from '../../settings/resolve-run-config.js';
import type { Settings } from '../../settings/settings.js';
import { ownOpenRun } from '../../store/open-run.js';
import type { StoredRun } from '../../store/stored-run.js';
import { unlessHeld } from './in-progress.js';
import type { Workspace } from './workspace.js';

interface ExecutionOptions {
  readonly settings: Settings;
  readonly signal: AbortSignal;
}

/** The execution of the not-started run. */
interface DraftExecution extends ExecutionOptions {
  /** Default: all. */
  readonly indices: readonly number[] | undefined;
}

/** A new run with the evaluations of another one. */
interface NewExecution {
  readonly config: ResolvedRunConfig;
  /** Default: a friendly name. */
  readonly runName: string | undefined;
  /** Positions in the other run; default: all. */
  readonly indices: readonly number[] | undefined;
  readonly signal: AbortSignal;
}

/** A rerun of rows of a saved run. */
interface RerunOfRows extends ExecutionOptions {
  readonly indices: readonly number[] | 'all';
  readonly kind?: 'rerun' | 'resume';
  /** Of these rows only those whose results are out of date. */
  readonly onlyChanged?: boolean;
  /** Also append new evaluations. Default: only to a run of all rows. */
  readonly addsNew?: boolean | undefined;
  /** Mark all rows whose evaluation no longer exists as pruned. */
  readonly prune?: boolean | undefined;
}

/** A regrade of rows of a saved run. */
type RegradeOfRows = ExecutionOptions & Pick<RegradeOptions, 'indices' | 'acceptsInexact'>;

/** Starts executions for the runs of a workspace, and records import failures. */
export class Executions {
  readonly #workspace: Workspace;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Starts the not-started run under its own id. Errors: those of `startRun`. */
  async startDraft(run: StoredRun, given: DraftExecution): Promise<Started> {
    const { settings, indices, signal } = given;
    const workspace = this.#workspace;
    const { session_name, run_name, run_id } = run.header;
    return this.#start(() =>
      startRun(workspace.runner, {
        ...executionSettings(resolveRunConfig(settings, workspace.next.configName)),
        request: workspace.next.request,
        sessionName: session_name,
        runName: run_name,
        runId: run_id,
        wanted: rowsAt(run, indices),
        signal,
      }),
    );
  }

  /** Starts a new run with the evaluations of this one. Errors: those of `startRun`. */
  startNew(run: StoredRun, given: NewExecution): Promise<Started> {
    const workspace = this.#workspace;
    const { config, runName, indices, signal } = given;
    return this.#start(() =>
      startRun(workspace.runner, {
        ...executionSettings(config),
        request: workspace.isDraft(run) ? workspace.next.request : storedRequest(run),
        sessionName: run.header.session_name,
        ...(runName === undefined ? {} : { runName }),
        wanted: rowsAt(run, indices),
        signal,
      }),
    );
  }

  /** Runs rows of a saved run again; `undefined` when there is nothing to run. Errors: those of `rerun`. */
  async rerun(run: StoredRun, given: RerunOfRows): Promise<Started | undefined> {
    const { indices, signal, kind = 'rerun', prune = false, onlyChanged, addsNew } = given;
    const { runner, lastDiscovery } = this.#workspace;
    const execution = executionSettings(savedRunConfig(run.header, given.settings));
    const owner = await unlessHeld(run, () => ownOpenRun(run));
    const onGone = indices === 'all' || kind === 'resume' ? 'leave' : 'refuse';
    const reasons = kind === 'rerun' ? this.#reasonsOf(run, indices) : undefined;
    const how = { kind, onGone, prune, onlyChanged, addsNew, reasons } as const;
    const options = { ...execution, ...how, owner, indices, signal };
    const begun = await lastDiscovery.during(() => rerun(runner, options));
    lastDiscovery.note(begun.importProblem);
    return begun.started;
  }

  /** Grades rows of a saved run again. Errors: those of `regrade`. */
  async regrade(
    run: StoredRun,
    { settings, indices, acceptsInexact, signal }: RegradeOfRows,
  ): Promise<Regrade> {
    const { runner, lastDiscovery } = this.#workspace;
    const execution = executionSettings(savedRunConfig(run.header, settings));
    const owner = await unlessHeld(run, () => ownOpenRun(run));
    const reasons = this.#reasonsOf(run, indices);
    const options = { ...execution, owner, indices, acceptsInexact, signal, reasons };
    const begun = await lastDiscovery.during(() => regrade(runner, options));
    lastDiscovery.note(begun.importProblem);
    return begun;
  }

  /** Why chosen rows are out of date, as far as the page that offers them knows it. */
  #reasonsOf(
    run: StoredRun,
    indices: readonly number[] | 'all',
  ): ReadonlyMap<number, string> | undefined {
    return indices === 'all' ? undefined : this.#workspace.project.checks.reasonsOf(run);
  }

  /** Starts a run and makes it the active one. Error: `bad-settings` for a results directory that cannot be. */
  async #start(start: () => Promise<Started>): Promise<Started> {
    const { lastDiscovery, store } = this.#workspace;
    checkCreatableFolder(store.root);
    const started = await lastDiscovery.during(start);
    lastDiscovery.note(started.importProblem);
    await this.#workspace.takeIn(started.owner.run);
    return started;
  }
}

function executionSettings(config: ResolvedRunConfig): ExecutionSettings {
  return { config, workers: 1, streamLogs: false };
}

function rowsAt(run: StoredRun, indices: readonly number[] | undefined) {
  return indices?.flatMap((index) => run.rows[index] ?? []);
}
