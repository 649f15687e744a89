import { AssayError } from '../../errors.js';
import { type Regrade, type RegradeOptions, regrade } from '../../runner/regrade.js';
import { rerun, storedRequest } from '../../runner/rerun.js';
import type { ExecutionSettings, Started } from '../../runner/runner-dependencies.js';
import { savedRunConfig } from '../../runner/saved-run/saved-run-config.js';
import { startRun } from '../../runner/start-run.js';
import { checkCreatableFolder } from '../../settings/creatable-folder.js';
import {
  defaultRunConfig,
  findRunConfig,
  type ResolvedRunConfig,
  resolveRunConfig,
} from '../../settings/resolve-run-config.js';
import type { SettingOverrides } from '../../settings/setting-table.js';
import type { Settings } from '../../settings/settings.js';
import { ownOpenRun } from '../../store/open-run.js';
import type { StoredRun } from '../../store/stored-run.js';
import { renderDollars } from '../../text/usage-text.js';
import { inProgressOf, pendingRows, rowsLeft, unlessHeld } from './progress.js';
import type { Workspace } from './workspace.js';

/** The selected results, and whether to wait until they have finished. */
interface WorkOptions {
  /** Positions in the run; all when missing. */
  readonly indices?: readonly number[] | undefined;
  readonly wait?: boolean | undefined;
}

/** Options for calling targets. */
interface TargetOptions extends WorkOptions {
  /** Settings for this run alone. */
  readonly settings?: SettingOverrides;
}

export interface RerunRequest extends TargetOptions {
  /** A run config; another than that of the run starts a new run, named after it. */
  readonly configName?: string | undefined;
  /** The run; default: the active one. */
  readonly runId?: string | undefined;
  /** Exclude results whose evaluation is gone from all figures. */
  readonly prune?: boolean | undefined;
  /** Also append new evaluations. Default: only to a rerun of everything. */
  readonly addsNew?: boolean | undefined;
  /** Only results that are out of date; default: all. */
  readonly only?: 'changed' | undefined;
}

export interface NewRunRequest extends TargetOptions {
  readonly runName?: string | undefined;
}

export interface RegradeRequest extends WorkOptions {
  readonly runId?: string | undefined;
  /** Grade the JSON of outputs that are not stored as the target returned them. Default false: they are left. */
  readonly acceptsInexact?: boolean | undefined;
}

export interface Regraded {
  readonly run_id: string;
  readonly regraded: number;
  readonly skipped_without_target: number;
  readonly skipped_inexact: number;
}

export interface Resumed {
  /** False when nothing was left to run. */
  readonly resumed: boolean;
  readonly run_id: string;
}

/** The operations on runs of a workspace, which the runner carries out. */
export class Operations {
  readonly #workspace: Workspace;
  readonly #executions: Executions;
  #cancelling: Promise<unknown> = Promise.resolve();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
    this.#executions = new Executions(workspace);
  }

  /**
   * Runs results of a run again, or a not-started run for the first time. Errors: `busy`, `no-such-run`,
   * `bad-request`, `view-only`, and those of starting a run.
   */
  rerun(options: RerunRequest): Promise<{ run_id: string }> {
    return this.#workspace.using(options.runId, (run) => this.#rerun(run, options));
  }

  /** Starts a new run of the evaluations of the active one. Errors: those of {@link rerun}. */
  startNew(options: NewRunRequest): Promise<{ run_id: string; run_name: string }> {
    return this.#workspace.using(undefined, (run) => this.#startNew(run, options));
  }

  /** Grades stored outputs again. Errors: `busy`, `no-such-run`, `bad-request`, `view-only`. */
  regrade(options: RegradeRequest): Promise<Regraded> {
    return this.#workspace.using(options.runId, (run) => this.#regrade(run, options));
  }

  async #rerun(run: StoredRun, options: RerunRequest): Promise<{ run_id: string }> {
    const workspace = this.#workspace;
    const { configName, settings: given = {}, prune, only, addsNew } = options;
    const indices = checkIndices(run, options.indices);
    const settings = (await workspace.readSettings()).with(given);
    if (configName !== undefined) findRunConfig(settings, configName);
    if (indices?.length === 0 && prune !== true && addsNew !== true) {
      workspace.slot.refuseIfBusy('this');
      await workspace.activate(run.runId);
      return { run_id: run.runId };
    }
    const own = workspace.isDraft(run) ? workspace.next.configName : run.header.config_name;
    const isOther = configName !== undefined && configName !== own;
    if (isOther && only !== undefined) {
      throw new AssayError('bad-request', 'Another run config runs everything, as a new run.');
    }
    const started = await workspace.slot.occupy(async (signal) => {
      await this.#activateStill(run, options.runId);
      if (isOther) {
        const config = savedRunConfig(run.header, settings, configName);
        return this.#executions.startNew(run, { config, runName: configName, indices, signal });
      }
      return workspace.isDraft(run)
        ? this.#executions.startDraft(run, { settings, indices, signal })
        : this.#executions.rerun(run, {
            indices: indices ?? 'all',
            onlyChanged: only === 'changed',
            addsNew,
            prune,
            settings,
            signal,
          });
    }, run);
    await waitFor(started, options);
    return { run_id: started?.run_id ?? run.runId };
  }

  async #startNew(
    run: StoredRun,
    options: NewRunRequest,
  ): Promise<{ run_id: string; run_name: string }> {
    const workspace = this.#workspace;
    const indices = checkIndices(run, options.indices);
    const settings = (await workspace.readSettings()).with(options.settings ?? {});
    const started = await workspace.slot.occupy(async (signal) => {
      const config = resolveRunConfig(settings, workspace.next.configName);
      const runName = options.runName ?? workspace.next.takeName() ?? nameAfter(config);
      return this.#executions.startNew(run, { config, runName, indices, signal });
    }, run);
    await waitFor(started, options);
    const header = started?.owner.run.header ?? run.header;
    return { run_id: header.run_id, run_name: header.run_name };
  }

  async #regrade(run: StoredRun, options: RegradeRequest): Promise<Regraded> {
    const workspace = this.#workspace;
    const indices = checkIndices(run, options.indices) ?? 'all';
    if (workspace.isDraft(run)) {
      throw new AssayError('bad-request', 'This run has not started: there is nothing to grade.');
    }
    let counts = { regraded: 0, skipped_without_target: 0, skipped_inexact: 0 };
    const started = await workspace.slot.occupy(async (signal) => {
      await this.#activateStill(run, options.runId);
      const { acceptsInexact } = options;
      const settings = await workspace.readSettings();
      const given = { settings, acceptsInexact, signal };
      const begun = await this.#executions.regrade(run, { ...given, indices });
      counts = {
        regraded: begun.regraded,
        skipped_without_target: begun.skippedWithoutTarget,
        skipped_inexact: begun.skippedInexact.length,
      };
      return begun.started;
    }, run);
    await waitFor(started, options);
    return { run_id: run.runId, ...counts };
  }

  /** Lets running evaluations finish and starts no others. Error: `not-in-progress`. */
  async pause(): Promise<void> {
    const started = await this.#workspace.slot.settled();
    if (started === undefined) {
      await this.#refuseForeign();
      throw new AssayError(
        'not-in-progress',
        'Nothing is in progress, so there is nothing to pause.',
      );
    }
    await started.execution.pause();
  }

  /**
   * Resumes a paused run, or runs the unfinished results of one that was interrupted or has spent its budget. Error:
   * `bad-request` if its `max_cost` is too low to continue.
   */
  async resume(given: Pick<SettingOverrides, 'max_cost'>): Promise<Resumed> {
    const workspace = this.#workspace;
    const executing = await workspace.slot.settled();
    if (executing !== undefined) {
      if (given.max_cost !== undefined) throw fixedBudget();
      const resumed = executing.execution.isPaused;
      executing.execution.resume();
      return { resumed, run_id: executing.run_id };
    }
    return workspace.using(undefined, async (run) => {
      await this.#refuseForeign();
      const left = rowsLeft(run);
      const settings = (await workspace.readSettings()).with(given);
      if (left.length > 0) checkBudget(run, settings);
      if (left.length === 0) return { resumed: false, run_id: run.runId };
      const started = await workspace.slot.occupy(
        (signal) =>
          this.#executions.rerun(run, { indices: left, kind: 'resume', settings, signal }),
        run,
      );
      return { resumed: started !== undefined, run_id: run.runId };
    });
  }

  /** Cancels all unfinished results; returns their number. */
  async stop(): Promise<number> {
    const workspace = this.#workspace;
    if (workspace.slot.isBusy) return workspace.slot.stop();
    // One after the other: the second finds nothing left.
    const cancelling = this.#cancelling.then(() =>
      workspace.using(undefined, (run) => this.#cancelInterrupted(run)),
    );
    this.#cancelling = cancelling.catch(() => undefined);
    return cancelling;
  }

  async #cancelInterrupted(run: StoredRun): Promise<number> {
    const workspace = this.#workspace;
    await this.#refuseForeign();
    if (run.state !== 'interrupted') return 0;
    await workspace.slot.ended();
    const owner = await unlessHeld(run, () => ownOpenRun(run));
    const left = pendingRows(run);
    owner.cancel(left);
    await owner.close('stopped');
    workspace.feed.take({ type: 'run', run });
    return left.length;
  }

  /**
   * Makes a run the active one. If it was deleted or replaced while the execution in progress ended: error `busy`, or
   * `no-such-run` if the request named its id.
   */
  async #activateStill(run: StoredRun, runId: string | undefined): Promise<void> {
    try {
      await this.#workspace.activate(run.runId);
    } catch (error) {
      const isGone = error instanceof AssayError && error.code === 'no-such-run';
      if (!isGone || runId !== undefined) throw error;
      throw new AssayError('busy', 'Another run has just become the active one.', {
        hints: ['Read it, then try again.'],
        inProgress: inProgressOf(run),
        cause: error,
      });
    }
  }

  /** Error: `busy` when another process executes the active run. */
  async #refuseForeign(): Promise<void> {
    const run = await this.#workspace.active();
    if (run.owner === undefined || run.state !== 'running') return;
    throw new AssayError(
      'busy',
      `${run.header.run_name} is run by process ${run.owner.pid}: it can only be controlled there.`,
      { inProgress: inProgressOf(run) },
    );
  }
}

function nameAfter({ name }: ResolvedRunConfig): string | undefined {
  return name === defaultRunConfig ? undefined : name;
}

/** Error: `bad-request` when a run that has spent its budget may not spend more. */
function checkBudget(run: StoredRun, settings: Settings): void {
  if (run.head().outcome !== 'budget') return;
  const most = savedRunConfig(run.header, settings).maxCost;
  const { cost } = run.spentOfBudget;
  if (most !== undefined && most > cost) return;
  throw new AssayError(
    'bad-request',
    `The run has spent its budget: it resumes with a max_cost above ${renderDollars(cost)}.`,
  );
}

function fixedBudget(): AssayError {
  return new AssayError(
    'bad-request',
    'The run is in progress: its max_cost can be changed only when it has ended.',
  );
}

/** Positions as they were given, each once. Error: `bad-request` for one that the run does not have. */
function checkIndices(
  run: StoredRun,
  indices: readonly number[] | undefined,
): readonly number[] | undefined {
  const wrong = indices?.find((index) => run.rows[index] === undefined);
  if (wrong === undefined) return indices && [...new Set(indices)];
  throw new AssayError(
    'bad-request',
    `The run has no result ${wrong}: it has ${run.rows.length}, counted from 0.`,
  );
}

async function waitFor(started: Started | undefined, { wait }: WorkOptions): Promise<void> {
  if (wait === true) await started?.finished;
}

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
