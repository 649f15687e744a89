import { rmSync } from 'node:fs';
import { AssayError, shortageOf } from '../../errors.js';
import { makeTemporaryFolder } from '../../files/temporary-folder.js';
import { discover, type RunRequest } from '../../runner/discovery/discover.js';
import { type PlanRunOptions, planRun } from '../../runner/planning/plan-run.js';
import { createExecutor, type RunnerDependencies } from '../../runner/runner-dependencies.js';
import { unlessAborted } from '../../runner/unless-aborted.js';
import {
  defaultRunConfig,
  findRunConfig,
  resolveRunConfig,
} from '../../settings/resolve-run-config.js';
import type { Settings } from '../../settings/settings.js';
import { checkName } from '../../store/names.js';
import type { RunOwner } from '../../store/run-owner.js';
import { Store } from '../../store/store.js';
import type { StoredRun } from '../../store/stored-run.js';

export interface NextRunOptions {
  /** The evaluations of the run. */
  readonly request: RunRequest;
  readonly sessionName: string;
  /** Default: a friendly one. */
  readonly runName?: string | undefined;
  /** The run config of the first run. */
  readonly configName?: string | undefined;
}

/** The parts of the workspace that the next run depends on. */
interface Planner {
  readonly runner: RunnerDependencies;
  readonly settings: Settings;
}

/** The next run: its discovered evaluations, name and run config. */
export class NextRun {
  readonly request: RunRequest;
  readonly #options: NextRunOptions;
  readonly #planner: Planner;
  readonly #onPlanned: (draft: DraftRun) => void;
  readonly #closing = new AbortController();
  /** Ends the import in progress, whose files or settings are out of date. */
  #stale = new AbortController();
  #draft: DraftRun | undefined;
  #planning: Promise<DraftRun> | undefined;
  #name: string | undefined;
  #configName: string;

  /**
   * `onPlanned`: called with every planned draft, before the previous one is removed. Error: `bad-request` for invalid
   * names and unknown run configs.
   */
  constructor(options: NextRunOptions, planner: Planner, onPlanned: (draft: DraftRun) => void) {
    const { request, sessionName, runName, configName = defaultRunConfig } = options;
    checkName(sessionName, 'session');
    this.request = request;
    this.#options = options;
    this.#planner = planner;
    this.#onPlanned = onPlanned;
    this.#name = runName === undefined ? undefined : checkName(runName, 'run');
    this.#configName = findRunConfig(planner.settings, configName).name;
  }

  /** The not-started run, if any. */
  get current(): DraftRun | undefined {
    return this.#draft;
  }

  /** The not-started run; discovers its evaluations if there is none. */
  async draft(): Promise<DraftRun> {
    return this.#draft ?? this.plan();
  }

  /** Discovers the evaluations of the not-started run again; it keeps its id and name. */
  plan(): Promise<DraftRun> {
    this.#planning ??= this.#plan().finally(() => {
      this.#planning = undefined;
    });
    return this.#planning;
  }

  /** Plans the not-started run again, if there is one, or begins its planning again, which may wait for an import. */
  async planAgain(): Promise<void> {
    this.#stale.abort();
    if (this.#planning !== undefined || this.#draft !== undefined) await this.plan();
  }

  /** Forgets the not-started run, which has been saved or is no longer wanted. */
  async drop(): Promise<void> {
    const draft = this.#draft;
    this.#draft = undefined;
    if (draft === undefined) return;
    this.#name = undefined;
    await draft.dispose();
  }

  /** The selected run config; `default` if that no longer exists. */
  get configName(): string {
    const { runConfigs } = this.#planner.settings;
    const isKnown = runConfigs.some((config) => config.name === this.#configName);
    return isKnown ? this.#configName : defaultRunConfig;
  }

  /** Error: `bad-request` for an unknown run config. */
  async selectConfig(name: string): Promise<string> {
    this.#configName = findRunConfig(this.#planner.settings, name).name;
    await this.planAgain();
    return this.#configName;
  }

  /** Sets the name of the next run. Error: `bad-request`. */
  giveName(name: string): string {
    this.#name = checkName(name, 'run');
    return this.#name;
  }

  /** Takes the given name, which is used once. */
  takeName(): string | undefined {
    const name = this.#name;
    this.#name = undefined;
    return name;
  }

  /** Aborts the current planning, so that it replaces nothing. */
  abort(reason: unknown): void {
    this.#closing.abort(reason);
  }

  async close(): Promise<void> {
    await this.#planning?.catch(() => undefined);
    await this.#draft?.dispose();
  }

  async #plan(): Promise<DraftRun> {
    this.#stale = new AbortController();
    const { signal } = this.#stale;
    try {
      const draft = await this.#planOnce(AbortSignal.any([this.#closing.signal, signal]));
      if (!signal.aborted) return draft;
    } catch (error) {
      if (!signal.aborted || this.#closing.signal.aborted) throw error;
    }
    return this.#plan();
  }

  async #planOnce(signal: AbortSignal): Promise<DraftRun> {
    const before = this.#draft;
    const { runner, settings } = this.#planner;
    const header = before?.run.header;
    const name = header?.run_name ?? this.#name;
    const draft = await DraftRun.plan(runner, {
      request: this.request,
      sessionName: this.#options.sessionName,
      config: resolveRunConfig(settings, this.configName),
      streamLogs: false,
      signal,
      ...(name === undefined ? {} : { runName: name }),
      ...(header === undefined ? {} : { runId: header.run_id }),
    });
    if (this.#draft !== before) {
      // The run with this id has started meanwhile.
      await draft.dispose();
      return this.#planOnce(signal);
    }
    this.#draft = draft;
    this.#onPlanned(draft);
    await before?.dispose();
    return draft;
  }
}

/**
 * The not-started run: the discovered evaluations, as a run that can be read, exported and renamed. It is in a
 * temporary folder until it starts.
 */
export class DraftRun {
  readonly run: StoredRun;
  /** The reason why it is empty, or the files that could not be imported. */
  readonly problem: AssayError | undefined;
  readonly #removeFolder: () => void;

  private constructor({ run, problem }: Planned, removeFolder: () => void) {
    this.run = run;
    this.problem = problem;
    this.#removeFolder = removeFolder;
  }

  /** Discovers evaluations. Errors: the abort reason of `signal`, and those of the disk. */
  static async plan(runner: RunnerDependencies, options: PlanRunOptions): Promise<DraftRun> {
    const folder = makeTemporaryFolder();
    const removeFolder = () => {
      process.off('exit', removeFolder);
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 10 });
    };
    // From now on, because importing may take long and the process may end meanwhile.
    process.once('exit', removeFolder);
    try {
      return new DraftRun(await planDraft(runner, new Store(folder), options), removeFolder);
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

interface Planned {
  readonly run: StoredRun;
  /** The reason why the run is empty, or the files that could not be imported. */
  readonly problem?: AssayError | undefined;
}

/**
 * Discovers evaluations and plans a run of them in a store of its own. If discovery fails, the
 * draft is empty.
 */
async function planDraft(
  runner: RunnerDependencies,
  scratch: Store,
  options: PlanRunOptions,
): Promise<Planned> {
  const planner = { ...runner, store: scratch };
  const executor = createExecutor(runner, options, 'look');
  try {
    const discovery = discover(runner, options.request, executor);
    const { evaluations, importProblem } = await unlessAborted(discovery, options.signal);
    const run = await released(await planRun(planner, executor, evaluations, options));
    return { run, problem: importProblem };
  } catch (error) {
    if (!(error instanceof AssayError) || options.signal?.aborted === true) throw error;
    // A temporary shortage of resources is no reason to show an empty run.
    if (shortageOf(error) !== undefined) throw error;
    return { run: await released(await planRun(planner, executor, [], options)), problem: error };
  } finally {
    executor.close();
  }
}

async function released(owner: RunOwner): Promise<StoredRun> {
  await owner.release();
  return owner.run;
}

/** Remembers the problem of the last discovery, for any run. */
export class LastDiscovery {
  #problem: AssayError | undefined;

  /** `undefined` after a discovery without errors. */
  get problem(): AssayError | undefined {
    return this.#problem;
  }

  /** Records the outcome of a discovery. */
  note(problem: AssayError | undefined): void {
    this.#problem = problem;
  }

  /** Records the outcome of an action that discovers evals: the error that it ended with, if any. */
  noteEnd(error: AssayError | undefined): void {
    this.note(isDiscoveryError(error) ? error : undefined);
  }

  /** Runs an action that discovers evals, and records its problem. */
  async during<T extends { readonly importProblem?: AssayError | undefined }>(
    act: () => Promise<T>,
  ): Promise<T> {
    try {
      const done = await act();
      this.note(done.importProblem);
      return done;
    } catch (error) {
      if (isDiscoveryError(error)) this.note(error);
      throw error;
    }
  }
}

/** True when evals could not be found or imported. */
function isDiscoveryError(error: unknown): error is AssayError {
  if (!(error instanceof AssayError)) return false;
  if (error.code === 'view-only') return isDiscoveryError(error.cause);
  return ['discovery-failed', 'no-such-path', 'nothing-selected'].includes(error.code);
}
