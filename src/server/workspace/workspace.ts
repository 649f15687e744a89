import { resolve } from 'node:path';
import { AssayError } from '../../errors.js';
import type { ResultEntry } from '../../model/result.js';
import type { RunRequest } from '../../runner/discover.js';
import type { RunEvent } from '../../runner/events.js';
import { openRunner } from '../../runner/open-runner.js';
import type { Runner, Started } from '../../runner/runner.js';
import type { SettingChange } from '../../settings/edit-yaml.js';
import { defaultRunConfig, findRunConfig, resolveRunConfig } from '../../settings/run-configs.js';
import type { Settings } from '../../settings/settings.js';
import { writeSettings } from '../../settings/write-settings.js';
import type { ResultChange } from '../../store/edited-result.js';
import { checkName } from '../../store/names.js';
import type { ListedRun } from '../../store/run-document.js';
import type { Store } from '../../store/store.js';
import type { StoredRun } from '../../store/stored-run.js';
import { Draft } from './draft.js';
import { ExecutionSlot } from './execution-slot.js';
import { OpenRuns } from './open-runs.js';

export interface WorkspaceOptions {
  /** Absolute; the working directory of evaluations. */
  readonly cwd: string;
  /** The environment without what the `.env` file adds. */
  readonly env: NodeJS.ProcessEnv;
  /** What the `.env` file adds. */
  readonly addedEnv: { readonly [name: string]: string };
  /** What the not-started run is made of. */
  readonly request: RunRequest;
  /** Session of new runs. */
  readonly sessionName: string;
  /** Name of the first run. Default: a friendly one. */
  readonly runName?: string;
  /** Run config that is selected at first. */
  readonly configName?: string;
  /** Reads the settings as they are now. */
  readonly readSettings: () => Promise<Settings>;
  /** A saved run to begin with, in place of a not-started one. */
  readonly runId?: string;
  /** Absolute path of a run folder outside of the results directory to begin with. */
  readonly runFolder?: string;
  /** Sentences for whoever watches the server. */
  readonly onWarning?: (text: string) => void;
}

/** Something that clients may want to know of. */
export type Change =
  | { readonly type: 'run'; readonly run: StoredRun }
  | { readonly type: 'sessions' }
  | { readonly type: 'settings' };

/**
 * What a server works on: one active run, the runs that are open, the settings and the place for one execution.
 * It knows nothing of HTTP.
 */
export class Workspace {
  /** Told about everything that changed. */
  onChange: (change: Change) => void = () => undefined;
  /** Told about every run that clients begin to read. */
  onOpened: (run: StoredRun) => void = () => undefined;
  readonly slot: ExecutionSlot;
  readonly #options: WorkspaceOptions;
  #runner: Runner;
  #open: OpenRuns;
  #settings: Settings;
  #selectedConfig: string;
  #pendingName: string | undefined;
  #activeId = '';
  #draft: Draft | undefined;
  #planning: Promise<Draft> | undefined;
  /** What the last discovery could not import. */
  #importProblem: string | undefined;
  /** Discovery errors by run id. */
  readonly #discoveryErrors = new Map<string, string>();
  readonly #closing = new AbortController();

  private constructor(options: WorkspaceOptions, settings: Settings, runner: Runner) {
    this.#options = options;
    this.#settings = settings;
    this.#runner = runner;
    this.#open = this.#openRunsOf(runner.store);
    this.#selectedConfig = findRunConfig(settings, options.configName ?? defaultRunConfig).name;
    this.#pendingName = options.runName;
    this.slot = new ExecutionSlot((started, failure) => this.#onExecution(started, failure));
  }

  /**
   * Errors: those of reading the settings, `no-such-run` for `runId`, `bad-request` for names that cannot be,
   * `no-such-path` for evals that are not there.
   */
  static async open(options: WorkspaceOptions): Promise<Workspace> {
    checkName(options.sessionName, 'session');
    if (options.runName !== undefined) checkName(options.runName, 'run');
    const settings = await options.readSettings();
    let workspace: Workspace | undefined;
    const runner = await makeRunner(options, settings, (event) => workspace?.onRunnerEvent(event));
    workspace = new Workspace(options, settings, runner);
    const { runId, runFolder } = options;
    const first = runFolder === undefined ? runId : await runner.store.adoptFolder(runFolder);
    await workspace.activate(first ?? (await workspace.#firstDraft()).run.runId);
    return workspace;
  }

  get store(): Store {
    return this.#runner.store;
  }

  get runner(): Runner {
    return this.#runner;
  }

  /** What the not-started run is made of. */
  get request(): RunRequest {
    return this.#options.request;
  }

  get activeId(): string {
    return this.#activeId;
  }

  /** The runs that clients may be looking at. */
  openRuns(): StoredRun[] {
    return [...(this.#draft === undefined ? [] : [this.#draft.run]), ...this.#open];
  }

  /** The run with this id, or the active one for `latest`, up to date. Error: `no-such-run`. */
  async read(reference: string): Promise<StoredRun> {
    if (reference === 'latest') return this.active();
    if (this.#draft?.run.runId === reference) return this.#draft.run;
    return this.#open.get(reference);
  }

  /** The active run; a fresh one when somebody else has deleted it. */
  async active(): Promise<StoredRun> {
    try {
      return await this.read(this.#activeId);
    } catch (error) {
      if (!(error instanceof AssayError) || error.code !== 'no-such-run') throw error;
      return this.activate((await this.draft()).run.runId);
    }
  }

  /** True for the not-started run, which is in no listing. */
  isDraft(run: StoredRun): boolean {
    return this.#draft?.run === run;
  }

  /** True while a run is being executed here and paused. */
  isPaused(run: StoredRun): boolean {
    const { started } = this.slot;
    return started?.run_id === run.runId && started.execution.isPaused;
  }

  /** Why evals of a run could not be found or imported. */
  discoveryError(run: StoredRun): string | undefined {
    return this.#discoveryErrors.get(run.runId);
  }

  /** Makes a run the active one. Error: `no-such-run`. */
  async activate(runId: string): Promise<StoredRun> {
    const run = await this.read(runId);
    if (this.#activeId !== run.runId) {
      this.#activeId = run.runId;
      this.onChange({ type: 'sessions' });
    }
    return run;
  }

  /** The not-started run; discovers what it is made of when there is none. */
  async draft(): Promise<Draft> {
    if (this.#draft !== undefined) return this.#draft;
    return this.planDraft();
  }

  /** Discovers again what the not-started run is made of; it keeps its id and name. */
  planDraft(): Promise<Draft> {
    this.#planning ??= this.#planDraft().finally(() => {
      this.#planning = undefined;
    });
    return this.#planning;
  }

  /** The not-started run is a saved one now, or not wanted any more. */
  async dropDraft(): Promise<void> {
    const draft = this.#draft;
    this.#draft = undefined;
    this.#pendingName = undefined;
    await draft?.dispose();
  }

  /** Keeps a run open that an execution has just begun, and makes it the active one. */
  async takeIn(run: StoredRun): Promise<void> {
    this.#open.put(run);
    this.noteDiscovery(run.runId);
    if (this.#draft !== undefined) await this.dropDraft();
    await this.activate(run.runId);
    this.onChange({ type: 'sessions' });
  }

  /** Remembers for a run what the discovery that has just been made could not import. */
  noteDiscovery(runId: string, error?: string): void {
    const problem = error ?? this.#importProblem;
    if (problem === undefined) this.#discoveryErrors.delete(runId);
    else this.#discoveryErrors.set(runId, problem);
    this.#importProblem = undefined;
  }

  /** Changes a result of any saved run. Errors: those of `StoredRun.edit`, `not-started`. */
  async edit(reference: string, index: number, change: ResultChange): Promise<ResultEntry> {
    const run = await this.read(reference);
    if (this.isDraft(run)) {
      run.entry(index);
      throw new AssayError('not-started', 'This run has not started, so there is nothing to edit.');
    }
    const entry = await run.edit(index, change);
    this.onChange({ type: 'run', run });
    return entry;
  }

  /** Gives a run another name and answers with it as it is kept. */
  async renameRun(runId: string, name: string): Promise<string> {
    const run = await this.read(runId);
    await run.rename(name);
    this.onChange({ type: 'run', run });
    this.onChange({ type: 'sessions' });
    return run.header.run_name;
  }

  /** Deletes a saved run; a fresh one takes its place when it was active. Errors: `no-such-run`, `busy`. */
  async deleteRun(runId: string): Promise<void> {
    this.#refuseExecuting((started) => started.run_id === runId);
    await this.slot.closed();
    await this.store.deleteRun(runId);
    await this.#forget([runId]);
  }

  /** Deletes all runs of a session. Errors: `no-such-session`, `busy`. */
  async deleteSession(name: string): Promise<void> {
    this.#refuseExecuting(({ owner }) => owner.run.header.session_name === name);
    await this.slot.closed();
    const runs = await this.store.listRuns(name);
    await this.store.deleteSession(name);
    await this.#forget(runs.map((run) => run.run_id));
  }

  /** Saved runs of a session, newest first; the one that is executed here as it is now. */
  async listRuns(sessionName: string): Promise<readonly ListedRun[]> {
    const runs = await this.store.listRuns(sessionName);
    const executing = this.slot.started?.owner.run;
    if (executing === undefined) return runs;
    return runs.map((run) => (run.run_id === executing.runId ? nowAs(run, executing) : run));
  }

  /** Names the run that starts next; the not-started run takes it at once. Error: `bad-request`. */
  async nameNextRun(name: string): Promise<string> {
    this.#pendingName = checkName(name, 'run');
    if (this.#draft !== undefined) await this.renameRun(this.#draft.run.runId, this.#pendingName);
    return this.#pendingName;
  }

  /** The name that was given to the next run; it is used once. */
  takePendingName(): string | undefined {
    const name = this.#pendingName;
    this.#pendingName = undefined;
    return name;
  }

  /** Session that new runs belong to: that of the active run. */
  async sessionOfNewRuns(): Promise<string> {
    return (await this.active()).header.session_name;
  }

  get selectedConfig(): string {
    const known = this.#settings.runConfigs.some((config) => config.name === this.#selectedConfig);
    return known ? this.#selectedConfig : defaultRunConfig;
  }

  /** Chooses the run config of the next run. Error: `bad-request` for an unknown one. */
  async selectConfig(name: string): Promise<string> {
    const settings = await this.readSettings();
    this.#selectedConfig = findRunConfig(settings, name).name;
    if (this.#draft !== undefined) await this.planDraft();
    this.onChange({ type: 'settings' });
    return this.#selectedConfig;
  }

  /** The settings as the file has them now. Error: `bad-settings`. */
  async readSettings(): Promise<Settings> {
    this.#settings = await this.#options.readSettings();
    return this.#settings;
  }

  /** Writes settings into the file; `undefined` removes a key. Errors: `bad-settings`, `bad-request`. */
  async saveSettings(changes: Readonly<Record<string, SettingChange>>): Promise<Settings> {
    const before = this.#settings;
    await writeSettings(before.file, changes);
    const settings = await this.readSettings();
    const config = this.selectedConfig;
    const trialsOf = (from: Settings) => resolveRunConfig(from, config).trials.base;
    if (this.#draft !== undefined && trialsOf(before) !== trialsOf(settings))
      await this.planDraft();
    this.onChange({ type: 'settings' });
    return settings;
  }

  /** Reads the settings and discovers the evals again, as if the server had just started. Error: `busy`. */
  async restart(): Promise<Draft> {
    this.slot.refuseIfBusy('a restart');
    await this.slot.ended();
    const settings = await this.readSettings();
    const resultsDir = settings.effective('results_dir').value;
    if (resolve(resultsDir) !== this.store.root) await this.#moveTo(settings);
    const draft = await this.planDraft();
    await this.active();
    this.onChange({ type: 'settings' });
    this.onChange({ type: 'sessions' });
    return draft;
  }

  /** Stops what is in progress and closes everything. */
  async close(): Promise<void> {
    this.#closing.abort(new AssayError('stopped', 'The server is being stopped.'));
    await this.slot.stop();
    await this.slot.ended();
    await this.#open.close();
    await this.#planning?.catch(() => undefined);
    await this.#draft?.dispose();
  }

  onRunnerEvent(event: RunEvent): void {
    switch (event.type) {
      case 'imported':
        this.#importProblem = event.problem?.message;
        return;
      case 'warned':
        this.#options.onWarning?.(event.text);
        return;
      case 'discovered':
      case 'opened':
      case 'printed':
        return;
      default: {
        const run = this.slot.started?.owner.run;
        if (run !== undefined) this.onChange({ type: 'run', run });
      }
    }
  }

  /** A path that is not there is most likely a slip; later on it is only told. */
  async #firstDraft(): Promise<Draft> {
    const draft = await this.draft();
    if (draft.problem?.code !== 'no-such-path') return draft;
    await this.close();
    throw draft.problem;
  }

  async #planDraft(): Promise<Draft> {
    const before = this.#draft;
    this.#importProblem = undefined;
    const header = before?.run.header;
    const name = header?.run_name ?? this.#pendingName;
    const config = resolveRunConfig(this.#settings, this.selectedConfig);
    const draft = await Draft.plan(this.#runner, {
      request: this.request,
      sessionName: this.#options.sessionName,
      config,
      workers: 1,
      streamLogs: false,
      signal: this.#closing.signal,
      ...(name === undefined ? {} : { runName: name }),
      ...(header === undefined ? {} : { runId: header.run_id }),
    });
    if (this.#draft !== before) {
      // The run with its id has started meanwhile.
      await draft.dispose();
      return this.#planDraft();
    }
    this.#draft = draft;
    this.noteDiscovery(draft.run.runId, draft.problem?.message);
    await before?.dispose();
    this.onChange({ type: 'run', run: draft.run });
    return draft;
  }

  /** Another results directory holds other runs. */
  async #moveTo(settings: Settings): Promise<void> {
    const before = this.#open;
    this.#runner = await makeRunner(this.#options, settings, (event) => this.onRunnerEvent(event));
    this.#open = this.#openRunsOf(this.store);
    await before.close();
  }

  #openRunsOf(store: Store): OpenRuns {
    return new OpenRuns(store, (run) => this.onOpened(run));
  }

  async #forget(runIds: readonly string[]): Promise<void> {
    for (const runId of runIds) {
      await this.#open.forget(runId);
      this.#discoveryErrors.delete(runId);
    }
    this.onChange({ type: 'sessions' });
    if (runIds.includes(this.#activeId)) await this.active();
  }

  #refuseExecuting(isMeant: (started: Started) => boolean): void {
    const { started } = this.slot;
    if (started === undefined || !isMeant(started)) return;
    throw new AssayError('busy', `${started.run_name} is in progress, so it cannot be deleted.`, {
      hints: ['Stop it first.'],
    });
  }

  #onExecution({ owner, run_name }: Started, failure?: unknown): void {
    if (failure !== undefined) {
      const reason = failure instanceof Error ? failure.message : String(failure);
      this.#options.onWarning?.(`${run_name} was interrupted: ${reason}`);
    }
    this.onChange({ type: 'run', run: owner.run });
    this.onChange({ type: 'sessions' });
  }
}

function makeRunner(
  { cwd, env, addedEnv, request }: WorkspaceOptions,
  settings: Settings,
  onEvent: (event: RunEvent) => void,
): Promise<Runner> {
  return openRunner({
    cwd,
    env,
    addedEnv,
    resultsDir: settings.effective('results_dir').value,
    roots: [cwd, ...request.paths.map((path) => resolve(cwd, path.split('::')[0] ?? path))],
    toleratesImportFailures: true,
    onEvent,
  });
}

function nowAs(listed: ListedRun, run: StoredRun): ListedRun {
  const { total_evaluations, total_passed, total_errors, state, run_name } = run.head();
  const { score_chips, verdicts } = run.summary();
  return {
    ...listed,
    run_name,
    total_evaluations,
    total_passed,
    total_errors,
    state,
    score_chips,
    verdicts,
  };
}
