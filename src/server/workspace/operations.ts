import { AssayError } from '../../errors.js';
import type { JsonObject } from '../../model/result.js';
import type { Started } from '../../runner/execution/begin-execution.js';
import { savedRunConfig } from '../../runner/planning/stored-request.js';
import { regrade } from '../../runner/regrade.js';
import { rerun, storedRequest } from '../../runner/rerun.js';
import type { ExecutionSettings } from '../../runner/runner-dependencies.js';
import { startGroup } from '../../runner/start-group.js';
import { startRun } from '../../runner/start-run.js';
import type { RunVariant } from '../../runner/variants/grid.js';
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
import { withOthers } from './execution-slot.js';
import { inProgressOf, pendingRows, rowsLeft, unlessHeld } from './progress.js';
import type { Workspace } from './workspace.js';

/** What a request may say of any work; its fields are those of the body. */
interface WorkRequest {
  /** Positions in the run; all when missing. */
  readonly indices?: readonly number[];
  /** The run; default: the active one. */
  readonly run_id?: string;
}

/** Settings for this run alone. */
type RunSettings = Pick<SettingOverrides, 'isolate' | 'max_cost'>;

interface RerunRequest extends WorkRequest, RunSettings {
  /** A run config; another than that of the run starts a new run, named after it. */
  readonly config_name?: string;
  /** Exclude results whose evaluation is gone from all figures. */
  readonly prune?: boolean;
  /** Also append new evaluations. Default: only to a rerun of everything. */
  readonly add_new?: boolean;
  /** Only results that are out of date; default: all. */
  readonly only?: 'changed';
}

interface NewRunRequest extends Pick<WorkRequest, 'indices'>, RunSettings {
  readonly run_name?: string;
  /** Params over those of the run config. */
  readonly params?: JsonObject;
  /** A run of each, in a group. */
  readonly variants?: readonly VariantRequest[];
}

interface VariantRequest {
  /** Default: what differs from the others. */
  readonly name?: string;
  /** Over those of the request. */
  readonly params?: JsonObject;
  readonly config_name?: string;
}

/** The runs that a request has started; the first is the base of the others. */
interface StartedRuns {
  readonly run_id: string;
  readonly run_name: string;
  readonly group?: string;
  readonly run_ids?: readonly string[];
}

interface RegradeRequest extends WorkRequest {
  /** Grade the JSON of outputs that are not stored as the target returned them. Default false: they are left. */
  readonly regrade_inexact?: boolean;
}

/** A new run with evaluations of another one. */
interface NewExecution {
  readonly config: ResolvedRunConfig;
  /** Default: a friendly name. */
  readonly runName: string | undefined;
  readonly runId?: string;
  /** Positions in the other run; default: all. */
  readonly indices: readonly number[] | undefined;
  readonly params?: JsonObject | undefined;
  /** A run of each; default: one run. */
  readonly variants?: readonly RunVariant[];
  readonly configOf?: (name: string) => ResolvedRunConfig;
  readonly signal: AbortSignal;
}

/** A rerun of rows of a saved run. */
interface RerunOfRows
  extends Pick<
    Parameters<typeof rerun>[1],
    'kind' | 'indices' | 'prune' | 'onlyChanged' | 'addsNew'
  > {
  readonly settings: Settings;
  readonly signal: AbortSignal;
}

function toVariant(
  { name, params, config_name: runConfig }: VariantRequest,
  shared: JsonObject = {},
): RunVariant {
  return {
    params: { ...shared, ...params },
    ...(name !== undefined && { name }),
    ...(runConfig !== undefined && { runConfig }),
  };
}

/** The operations on runs of a workspace, which the runner carries out. `wait`: until the work has finished. */
export class Operations {
  readonly #workspace: Workspace;
  #cancelling: Promise<unknown> = Promise.resolve();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /**
   * Runs results of a run again, or a not-started run for the first time. Errors: `busy`, `no-such-run`,
   * `bad-request`, `view-only`, and those of starting a run.
   */
  rerun(request: RerunRequest, wait = false): Promise<{ run_id: string }> {
    return this.#workspace.using(request.run_id, async (run) => {
      const started = await this.#rerun(run, request);
      if (wait) await started?.finished;
      return { run_id: started?.run_id ?? run.runId };
    });
  }

  /** Starts a new run of the evaluations of the active one. Errors: those of {@link rerun}. */
  startNew(request: NewRunRequest, wait = false): Promise<StartedRuns> {
    const workspace = this.#workspace;
    return workspace.using(undefined, async (run) => {
      const indices = checkIndices(run, request.indices);
      const settings = await this.#settingsFor(request);
      const started = await workspace.slot.occupy(async (signal) => {
        const config = resolveRunConfig(settings, workspace.next.configName);
        const { params, variants } = request;
        if (variants !== undefined) {
          return this.#startRun(run, {
            ...{ config, runName: undefined, indices, signal },
            variants: variants.map((one) => toVariant(one, params)),
            configOf: (name) => resolveRunConfig(settings, name),
          });
        }
        const runName = request.run_name ?? workspace.next.takeName() ?? nameAfter(config);
        return this.#startRun(run, { config, runName, indices, params, signal });
      }, run);
      const all = started === undefined ? [] : withOthers(started);
      if (wait) await Promise.all(all.map(({ finished }) => finished));
      const { run_id, run_name, group, group_runs } = started?.owner.run.header ?? run.header;
      return {
        ...{ run_id, run_name },
        ...(group !== undefined && group_runs && { group, run_ids: group_runs }),
      };
    });
  }

  /** Grades stored outputs again. Errors: `busy`, `no-such-run`, `bad-request`, `view-only`. */
  regrade(request: RegradeRequest, wait = false) {
    const workspace = this.#workspace;
    return workspace.using(request.run_id, async (run) => {
      const indices = checkIndices(run, request.indices) ?? ('all' as const);
      if (workspace.isDraft(run)) {
        throw new AssayError('bad-request', 'This run has not started: there is nothing to grade.');
      }
      let counts = { regraded: 0, skipped_without_target: 0, skipped_inexact: 0 };
      const started = await workspace.slot.occupy(async (signal) => {
        await this.#activateStill(run, request.run_id);
        const { runner, lastDiscovery } = workspace;
        const config = savedRunConfig(run.header, await workspace.readSettings(), runner.env);
        const owner = await unlessHeld(run, () => ownOpenRun(run));
        const reasons = this.#reasonsOf(run, indices);
        const { regrade_inexact: acceptsInexact } = request;
        const how = { indices, acceptsInexact, signal, reasons };
        const options = { ...executionSettings(config), ...how, owner };
        const begun = await lastDiscovery.during(() => regrade(runner, options));
        counts = {
          regraded: begun.regraded,
          skipped_without_target: begun.skippedWithoutTarget,
          skipped_inexact: begun.skippedInexact.length,
        };
        return begun.started;
      }, run);
      if (wait) await started?.finished;
      return { run_id: run.runId, ...counts };
    });
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
    await Promise.all(withOthers(started).map(({ execution }) => execution.pause()));
  }

  /**
   * Resumes a paused run, or runs the unfinished results of one that was interrupted or has spent its budget. `resumed`
   * is false when nothing was left to run. Error: `bad-request` if its `max_cost` is too low to continue.
   */
  async resume(
    given: Pick<SettingOverrides, 'max_cost'>,
  ): Promise<{ resumed: boolean; run_id: string }> {
    const workspace = this.#workspace;
    const executing = await workspace.slot.settled();
    if (executing !== undefined) {
      if (given.max_cost !== undefined) throw fixedBudget();
      const resumed = executing.execution.isPaused;
      for (const { execution } of withOthers(executing)) execution.resume();
      return { resumed, run_id: executing.run_id };
    }
    return workspace.using(undefined, async (run) => {
      await this.#refuseForeign();
      const indices = rowsLeft(run);
      const settings = await this.#settingsFor(given);
      if (indices.length === 0) return { resumed: false, run_id: run.runId };
      checkBudget(run, savedRunConfig(run.header, settings, workspace.runner.env));
      const started = await workspace.slot.occupy(
        (signal) => this.#rerunRows(run, { indices, kind: 'resume', settings, signal }),
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

  async #rerun(run: StoredRun, request: RerunRequest): Promise<Started | undefined> {
    const workspace = this.#workspace;
    const { config_name: configName, prune = false, only, add_new: addsNew } = request;
    const indices = checkIndices(run, request.indices);
    const settings = await this.#settingsFor(request);
    if (configName !== undefined) findRunConfig(settings, configName);
    if (indices?.length === 0 && !prune && addsNew !== true) {
      workspace.slot.refuseIfBusy('this');
      await workspace.activate(run.runId);
      return undefined;
    }
    const own = workspace.isDraft(run) ? workspace.next.configName : run.header.config_name;
    const isOther = configName !== undefined && configName !== own;
    if (isOther && only !== undefined) {
      throw new AssayError('bad-request', 'Another run config runs everything, as a new run.');
    }
    return workspace.slot.occupy(async (signal) => {
      await this.#activateStill(run, request.run_id);
      if (isOther) {
        const config = savedRunConfig(run.header, settings, workspace.runner.env, configName);
        return this.#startRun(run, { config, runName: configName, indices, signal });
      }
      if (workspace.isDraft(run)) {
        const config = resolveRunConfig(settings, workspace.next.configName);
        const { run_name: runName, run_id: runId } = run.header;
        return this.#startRun(run, { config, runName, runId, indices, signal });
      }
      const onlyChanged = only === 'changed';
      const rows = { indices: indices ?? 'all', kind: 'rerun', onlyChanged, addsNew } as const;
      return this.#rerunRows(run, { ...rows, prune, settings, signal });
    }, run);
  }

  /**
   * Starts a run with evaluations of another one, or the not-started run under its own id, and makes it the active one.
   * Errors: those of `startRun`, `bad-settings` for a results directory that cannot be.
   */
  async #startRun(run: StoredRun, given: NewExecution): Promise<Started> {
    const workspace = this.#workspace;
    const { config, runName, runId, indices, params, variants, configOf, signal } = given;
    const { runner, next, lastDiscovery } = workspace;
    checkCreatableFolder(workspace.store.root);
    const options = {
      ...executionSettings(config),
      request: workspace.isDraft(run) ? next.request : storedRequest(run),
      sessionName: run.header.session_name,
      wanted: indices?.flatMap((index) => run.rows[index] ?? []),
      signal,
    };
    const started = await lastDiscovery.during(() =>
      variants !== undefined && configOf !== undefined
        ? startGroup(runner, {
            ...{ ...options, configOf, runs: variants.length, readVariants: () => variants },
            onEvent: (event) => runner.onEvent(event),
          })
        : startRun(runner, {
            ...options,
            ...(runName !== undefined && { runName }),
            ...(runId !== undefined && { runId }),
            ...(params && { readParams: () => params }),
          }),
    );
    const others = (started.others ?? []).map(({ owner }) => owner.run);
    await workspace.takeIn(started.owner.run, others);
    return started;
  }

  /** Runs rows of a saved run again; `undefined` when there is nothing to run. Errors: those of `rerun`. */
  async #rerunRows(
    run: StoredRun,
    { settings, ...how }: RerunOfRows,
  ): Promise<Started | undefined> {
    const { runner, lastDiscovery } = this.#workspace;
    const { indices, kind } = how;
    const execution = executionSettings(savedRunConfig(run.header, settings, runner.env));
    const owner = await unlessHeld(run, () => ownOpenRun(run));
    const onGone = indices === 'all' || kind === 'resume' ? 'leave' : 'refuse';
    const reasons = kind === 'rerun' ? this.#reasonsOf(run, indices) : undefined;
    const options = { ...execution, ...how, owner, onGone, reasons } as const;
    const begun = await lastDiscovery.during(() => rerun(runner, options));
    return begun.started;
  }

  /** Why chosen rows are out of date, as far as the page that offers them knows it. */
  #reasonsOf(
    run: StoredRun,
    indices: readonly number[] | 'all',
  ): ReadonlyMap<number, string> | undefined {
    return indices === 'all' ? undefined : this.#workspace.project.checks.reasonsOf(run);
  }

  async #settingsFor({ isolate, max_cost }: RunSettings): Promise<Settings> {
    return (await this.#workspace.readSettings()).with({ isolate, max_cost });
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

function executionSettings(config: ResolvedRunConfig): ExecutionSettings {
  return { config, streamLogs: false };
}

function nameAfter({ name }: ResolvedRunConfig): string | undefined {
  return name === defaultRunConfig ? undefined : name;
}

/** Error: `bad-request` when a run that has spent its budget may not spend more. */
function checkBudget(run: StoredRun, { maxCost: most }: ResolvedRunConfig): void {
  if (run.head().outcome !== 'budget') return;
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
