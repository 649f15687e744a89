import type { RunRequest } from '../../runner/discovery/discover.js';
import type { RunnerDependencies } from '../../runner/runner-dependencies.js';
import {
  defaultRunConfig,
  findRunConfig,
  resolveRunConfig,
} from '../../settings/resolve-run-config.js';
import type { Settings } from '../../settings/settings.js';
import { checkName } from '../../store/names.js';
import { DraftRun } from './draft-run.js';

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
export interface NextRunSurroundings {
  readonly runner: () => RunnerDependencies;
  readonly settings: () => Settings;
  /** Called with every planned draft, before the previous one is removed. */
  readonly onPlanned: (draft: DraftRun) => void;
}

/** The next run: its discovered evaluations, name and run config. */
export class NextRun {
  readonly request: RunRequest;
  readonly #options: NextRunOptions;
  readonly #surroundings: NextRunSurroundings;
  readonly #closing = new AbortController();
  /** Ends the import in progress, whose files or settings are out of date. */
  #stale = new AbortController();
  #draft: DraftRun | undefined;
  #planning: Promise<DraftRun> | undefined;
  #name: string | undefined;
  #configName: string;

  /** Error: `bad-request` for invalid names and unknown run configs. */
  constructor(options: NextRunOptions, surroundings: NextRunSurroundings) {
    const { request, sessionName, runName, configName = defaultRunConfig } = options;
    checkName(sessionName, 'session');
    this.request = request;
    this.#options = options;
    this.#surroundings = surroundings;
    this.#name = runName === undefined ? undefined : checkName(runName, 'run');
    this.#configName = findRunConfig(surroundings.settings(), configName).name;
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
    const { runConfigs } = this.#surroundings.settings();
    const isKnown = runConfigs.some((config) => config.name === this.#configName);
    return isKnown ? this.#configName : defaultRunConfig;
  }

  /** Error: `bad-request` for an unknown run config. */
  async selectConfig(name: string): Promise<string> {
    this.#configName = findRunConfig(this.#surroundings.settings(), name).name;
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
    const { runner, settings, onPlanned } = this.#surroundings;
    const header = before?.run.header;
    const name = header?.run_name ?? this.#name;
    const draft = await DraftRun.plan(runner(), {
      request: this.request,
      sessionName: this.#options.sessionName,
      config: resolveRunConfig(settings(), this.configName),
      workers: 1,
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
    onPlanned(draft);
    await before?.dispose();
    return draft;
  }
}
