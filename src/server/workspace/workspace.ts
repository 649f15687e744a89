import { resolve } from 'node:path';
import { AssayError } from '../../errors.js';
import type { RunEvent, RunListener } from '../../runner/events.js';
import type { Started } from '../../runner/execution/begin-execution.js';
import type { MakeExecutor } from '../../runner/executor.js';
import { openRunner } from '../../runner/open-runner.js';
import { viewOnlyReason } from '../../runner/rerun.js';
import type { RunnerDependencies } from '../../runner/runner-dependencies.js';
import { checkCreatableFolder } from '../../settings/creatable-folder.js';
import { resolveRunConfig } from '../../settings/resolve-run-config.js';
import { usualReviewer } from '../../settings/reviewer.js';
import type { Settings } from '../../settings/settings.js';
import { writeSettings } from '../../settings/write-settings.js';
import type { ListedRun } from '../../store/listing/run-json.js';
import { liveHolder } from '../../store/lock/lock.js';
import type { Store } from '../../store/store.js';
import type { StoredRun } from '../../store/stored-run.js';
import type { RedisServer } from '../../workers/redis-server.js';
import { type DraftRun, LastDiscovery, NextRun, type NextRunOptions } from './draft.js';
import { ExecutionSlot } from './execution-slot.js';
import { ChangeFeed } from './feed.js';
import { OpenRuns } from './open-runs.js';
import { inProgressOf, listedNow, unlessHeld } from './progress.js';
import { ServedProject, type ServedProjectOptions } from './project.js';

export interface WorkspaceOptions extends NextRunOptions, ServedProjectOptions {
  /** The environment without the variables of the `.env` file. */
  readonly env: NodeJS.ProcessEnv;
  /** Variables that the `.env` file adds. */
  readonly addedEnv: { readonly [name: string]: string };
  /** Reads the settings as they are now. */
  readonly readSettings: () => Promise<Settings>;
  /** A saved run to begin with, in place of a not-started one. */
  readonly runId?: string;
  /** Absolute path of a run folder outside of the results directory to begin with. */
  readonly runFolder?: string;
  /** Default: a pool of processes on this machine. */
  readonly makeExecutor?: MakeExecutor;
  /** The server whose workers run evaluations, if they do. */
  readonly redis?: RedisServer;
}

/** Registers what to do when a request has ended. */
export type OnEnd = (act: () => void) => void;

/**
 * The state of a server: one active run, the open runs, the settings and the slot for one execution. It does not depend
 * on HTTP.
 */
export class Workspace {
  /** Receives everything that changes, and every run that clients begin to read. */
  readonly feed: ChangeFeed;
  readonly slot: ExecutionSlot;
  /** The run that would start next. */
  readonly next: NextRun;
  readonly lastDiscovery = new LastDiscovery();
  /** What edits of the project mean for its runs. */
  readonly project: ServedProject;
  readonly #options: WorkspaceOptions;
  #runner: RunnerDependencies;
  #open: OpenRuns;
  #settings: Settings;
  #activeId = '';

  private constructor(options: WorkspaceOptions, settings: Settings, runner: RunnerDependencies) {
    this.#options = options;
    this.feed = new ChangeFeed(this, options.onFeedBug);
    this.#settings = settings;
    this.#runner = runner;
    this.#open = this.#openRunsOf(runner.store);
    this.next = new NextRun(options, this, ({ run, problem }) => {
      this.lastDiscovery.note(problem);
      this.feed.take({ type: 'run', run });
    });
    this.slot = new ExecutionSlot((started, failure) => this.#onExecution(started, failure));
    this.project = new ServedProject(this, options);
  }

  /**
   * Errors: those of reading the settings, `no-such-run` for `runId`, `bad-request` for names that cannot be,
   * `no-such-path` for evals that are not there.
   */
  static async open(options: WorkspaceOptions): Promise<Workspace> {
    const settings = await options.readSettings();
    let workspace: Workspace | undefined;
    const runner = await makeRunner(options, settings, (event) => workspace?.onRunnerEvent(event));
    workspace = new Workspace(options, settings, runner);
    workspace.#warnIfUnusable();
    const { runId, runFolder } = options;
    const first = runFolder === undefined ? runId : await runner.store.adoptFolder(runFolder);
    await workspace.activate(first ?? (await workspace.#firstDraft()).run.runId);
    // A saved run may be looked at anywhere: nothing is watched before something of it is checked.
    if (first === undefined) workspace.project.start();
    return workspace;
  }

  /** The server whose workers run evaluations, if they do. */
  get redis(): RedisServer | undefined {
    return this.#options.redis;
  }

  get store(): Store {
    return this.#runner.store;
  }

  /** The settings that were read last. */
  get settings(): Settings {
    return this.#settings;
  }

  get runner(): RunnerDependencies {
    return this.#runner;
  }

  get activeId(): string {
    return this.#activeId;
  }

  /** The runs that clients may be looking at. */
  openRuns(): StoredRun[] {
    const draft = this.next.current;
    return [...(draft === undefined ? [] : [draft.run]), ...this.#open];
  }

  /**
   * The run with this id, or the active one without an id, up to date. With `onEnd` it stays open until the request
   * has ended; without, it may be closed as soon as memory is short. Error: `no-such-run`.
   */
  async read(runId: string | undefined, onEnd?: OnEnd): Promise<StoredRun> {
    const run = await (runId === undefined ? this.active() : this.#find(runId));
    onEnd?.(run.use());
    return run;
  }

  /** Works with a run, that of {@link read}, that stays open until then. Error: `no-such-run`. */
  async using<T>(runId: string | undefined, act: (run: StoredRun) => Promise<T>): Promise<T> {
    let end = () => {};
    const run = await this.read(runId, (act) => {
      end = act;
    });
    try {
      return await act(run);
    } finally {
      end();
    }
  }

  /** The active run; a new one if another process has deleted it. */
  async active(): Promise<StoredRun> {
    try {
      return await this.#find(this.#activeId);
    } catch (error) {
      if (!(error instanceof AssayError) || error.code !== 'no-such-run') throw error;
      return this.activate((await this.next.draft()).run.runId);
    }
  }

  /** Why a run can be viewed and edited, but not run again; `undefined` if it can. */
  viewOnlyReason(run: StoredRun): Promise<string | undefined> {
    return viewOnlyReason(this.#runner, run);
  }

  /** Files that the last discovery could not find or import, if this is the active run. */
  discoveryProblem(run: StoredRun): AssayError | undefined {
    return run.runId === this.#activeId ? this.lastDiscovery.problem : undefined;
  }

  /** True for the not-started run, which is in no listing. */
  isDraft(run: StoredRun): boolean {
    return this.next.current?.run.runId === run.runId;
  }

  /** True while a run is being executed here and paused. */
  isPaused(run: StoredRun): boolean {
    const { started } = this.slot;
    return started?.run_id === run.runId && started.execution.isPaused;
  }

  /** Makes a run the active one. Error: `no-such-run`. */
  async activate(runId: string): Promise<StoredRun> {
    const run = await this.read(runId);
    if (this.#activeId !== run.runId) {
      this.#activeId = run.runId;
      this.feed.take({ type: 'sessions' });
    }
    return run;
  }

  /** Keeps a run open that an execution has just begun, and makes it the active one. */
  async takeIn(run: StoredRun, others: readonly StoredRun[] = []): Promise<void> {
    this.#open.put(run);
    for (const other of others) this.#open.put(other);
    await this.next.drop();
    await this.activate(run.runId);
    this.feed.take({ type: 'sessions' });
  }

  /** Closes runs that were deleted; a fresh one takes the place of the active one. */
  async #forget(runIds: readonly string[]): Promise<void> {
    for (const runId of runIds) await this.#open.forget(runId);
    this.feed.take({ type: 'sessions' });
    if (runIds.includes(this.#activeId)) await this.active();
  }

  /**
   * Changes results of any saved run, of the active one without an id. Errors: those of `change`, `not-started`, and
   * `no-such-result` for `indices` of a run that has not started.
   */
  edit<T>(
    runId: string | undefined,
    indices: readonly number[],
    change: (run: StoredRun) => Promise<T>,
  ): Promise<T> {
    return this.using(runId, async (run) => {
      if (this.isDraft(run)) {
        for (const index of indices) run.entry(index);
        throw new AssayError(
          'not-started',
          'This run has not started, so there is nothing to edit.',
        );
      }
      // Also after a failure: a change that the disk does not confirm is made all the same.
      return change(run).finally(() => this.feed.take({ type: 'run', run }));
    });
  }

  /** Renames a run and returns the saved name. */
  async renameRun(runId: string, name: string): Promise<string> {
    return this.using(runId, async (run) => {
      await run.rename(name);
      this.feed.take({ type: 'run', run });
      this.feed.take({ type: 'sessions' });
      return run.header.run_name;
    });
  }

  /** Deletes a saved run; a fresh one takes its place when it was active. Errors: `no-such-run`, `busy`, `not-started`. */
  async deleteRun(runId: string): Promise<void> {
    this.#refuseExecuting((started) => started.run_id === runId);
    if (this.next.current?.run.runId === runId) {
      throw new AssayError('not-started', 'This run has not started; nothing is saved.');
    }
    await this.slot.closed();
    await unlessHeld(
      () => this.read(runId),
      () => this.store.deleteRun(runId),
    );
    await this.#forget([runId]);
  }

  /** Deletes all runs of a session. Errors: `no-such-session`, `busy`. */
  async deleteSession(name: string): Promise<void> {
    this.#refuseExecuting(({ owner }) => owner.run.header.session_name === name);
    await this.slot.closed();
    const runs = await this.store.listRuns(name);
    const held = () => runs.find(({ folder }) => liveHolder(folder) !== undefined)?.run_id;
    await unlessHeld(
      async () => {
        const runId = held();
        return runId === undefined ? undefined : this.read(runId);
      },
      () => this.store.deleteSession(name),
    );
    await this.#forget(runs.map((run) => run.run_id));
  }

  /** Names the run that starts next; the not-started run takes it at once. Error: `bad-request`. */
  async nameNextRun(name: string): Promise<string> {
    const kept = this.next.giveName(name);
    const draft = this.next.current;
    if (draft !== undefined) await this.renameRun(draft.run.runId, kept);
    return kept;
  }

  #refuseExecuting(isMeant: (started: Started) => boolean): void {
    const { started } = this.slot;
    if (started === undefined || !isMeant(started)) return;
    throw new AssayError('busy', `${started.run_name} is in progress, so it cannot be deleted.`, {
      hints: ['Stop it first.'],
      inProgress: inProgressOf(started.owner.run),
    });
  }

  /** Saved runs of a session, or all, newest first; the one that is executed here as it is now. */
  async listRuns(sessionName?: string): Promise<readonly ListedRun[]> {
    const runs = await this.store.listRuns(sessionName);
    const executing = this.slot.unclosed?.owner.run;
    if (executing === undefined) return runs;
    return runs.map((run) => (run.run_id === executing.runId ? listedNow(run, executing) : run));
  }

  /** Chooses the run config of the next run. Error: `bad-request` for an unknown one. */
  async selectConfig(name: string): Promise<string> {
    await this.readSettings();
    const selected = await this.next.selectConfig(name);
    this.feed.take({ type: 'settings' });
    return selected;
  }

  /** The absolute working directory. */
  get cwd(): string {
    return this.#options.cwd;
  }

  /** Absolute path of the settings file. */
  get settingsFile(): string {
    return this.#settings.file;
  }

  /** The settings as the file has them now. Error: `bad-settings`. */
  async readSettings(): Promise<Settings> {
    this.#settings = await this.#options.readSettings();
    return this.#settings;
  }

  /** What the settings say of reviews now; what they said last while the file is broken. */
  async readReviewSettings(): Promise<{ rubrics: Settings['rubrics']; reviewer: string }> {
    const settings = await this.readSettings().catch((error: unknown) => {
      if (error instanceof AssayError) return this.#settings;
      throw error;
    });
    return { rubrics: settings.rubrics, reviewer: usualReviewer(settings) };
  }

  /** Writes settings into the file, as `writeSettings`. Errors: `bad-settings`, `bad-request`. */
  async saveSettings(changes: Parameters<typeof writeSettings>[1]): Promise<Settings> {
    const before = this.#settings;
    await writeSettings(before.file, changes);
    const settings = await this.readSettings();
    const trialsOf = (from: Settings) => resolveRunConfig(from, this.next.configName).trials.base;
    if (trialsOf(before) !== trialsOf(settings)) await this.next.planAgain();
    this.feed.take({ type: 'settings' });
    return settings;
  }

  /**
   * Reads the settings and discovers the evals again, as if the server had just started. Errors: `busy`, `bad-settings`
   * for a results directory that cannot be; nothing has changed then.
   */
  async restart(): Promise<DraftRun> {
    this.slot.refuseIfBusy('a restart');
    await this.slot.ended();
    const settings = await this.readSettings();
    const resultsDir = settings.effective('results_dir').value;
    checkCreatableFolder(resultsDir);
    if (resolve(resultsDir) !== this.store.root) await this.#moveTo(settings);
    const draft = await this.next.plan();
    await this.active();
    this.feed.take({ type: 'settings' });
    this.feed.take({ type: 'sessions' });
    return draft;
  }

  /** Stops the execution in progress and closes everything. */
  async close(): Promise<void> {
    this.feed.close();
    await this.project.close();
    this.next.abort(new AssayError('stopped', 'The server is being stopped.'));
    // Storage errors are reported when the execution ends.
    await this.slot.stop().catch(() => undefined);
    await this.slot.ended();
    await this.#open.close();
    await this.next.close();
  }

  onRunnerEvent(event: RunEvent): void {
    switch (event.type) {
      case 'warned':
        this.#options.onWarning?.(event.text);
        return;
      case 'touched':
        this.project.touch(event);
        return;
      case 'importing':
      case 'discovered':
      case 'opened':
      case 'printed':
        return;
      default: {
        const run = this.slot.started?.owner.run;
        if (run !== undefined) this.feed.take({ type: 'run', run });
      }
    }
  }

  /** A missing path is an error at the start, because it is probably a typo; later, it is only a warning. */
  async #firstDraft(): Promise<DraftRun> {
    const draft = await this.next.draft();
    if (draft.problem?.code !== 'no-such-path') return draft;
    await this.close();
    throw draft.problem;
  }

  /** Another results directory holds other runs. */
  async #moveTo(settings: Settings): Promise<void> {
    const before = this.#open;
    this.#runner = await makeRunner(this.#options, settings, (event) => this.onRunnerEvent(event));
    this.#open = this.#openRunsOf(this.store);
    this.#warnIfUnusable();
    await before.close();
  }

  /** Warns at the start rather than when the first run is saved; viewing saved runs still works. */
  #warnIfUnusable(): void {
    try {
      checkCreatableFolder(this.store.root);
    } catch (error) {
      if (!(error instanceof AssayError)) throw error;
      this.#options.onWarning?.(error.inOneLine);
    }
  }

  async #find(runId: string): Promise<StoredRun> {
    const draft = this.next.current;
    return draft?.run.runId === runId ? draft.run : this.#open.get(runId);
  }

  #openRunsOf(store: Store): OpenRuns {
    return new OpenRuns(store, (run) => this.feed.follow(run));
  }

  #onExecution({ owner, run_name }: Started, failure?: unknown): void {
    if (failure !== undefined) {
      const reason = failure instanceof Error ? failure.message : String(failure);
      const text = failure instanceof AssayError ? failure.inOneLine : reason;
      this.#options.onWarning?.(`${run_name} was interrupted: ${text}`);
    }
    this.feed.take({ type: 'run', run: owner.run });
    this.feed.take({ type: 'sessions' });
  }
}

/** Opens the runner of a server: over the results directory of the settings, tolerating import failures. */
async function makeRunner(
  { cwd, env, addedEnv, request, watches, makeExecutor }: WorkspaceOptions,
  settings: Settings,
  onEvent: RunListener,
): Promise<RunnerDependencies> {
  const runner = await openRunner({
    cwd,
    env,
    addedEnv,
    resultsDir: settings.effective('results_dir').value,
    recordingsDir: settings.effective('recordings_dir').value,
    named: request.paths,
    toleratesImportFailures: true,
    waitsForRoom: true,
    watches: watches === true,
    ...(makeExecutor && { makeExecutor }),
    onEvent,
  });
  // Reports what a listing could not read or moved aside, which nothing else does.
  runner.store.onWarning = (text) => onEvent({ type: 'warned', text });
  return runner;
}
