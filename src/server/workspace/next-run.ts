import type { RunRequest } from '../../runner/discover.js';
import type { Runner } from '../../runner/runner.js';
import { defaultRunConfig, findRunConfig, resolveRunConfig } from '../../settings/run-configs.js';
import type { Settings } from '../../settings/settings.js';
import { checkName } from '../../store/names.js';
import { Draft } from './draft.js';

export interface NextRunOptions {
  /** What it is made of. */
  readonly request: RunRequest;
  readonly sessionName: string;
  /** Default: a friendly one. */
  readonly runName?: string | undefined;
  /** Run config that is selected at first. */
  readonly configName?: string | undefined;
}

/** What a next run needs of the workspace as it is at the moment. */
export interface NextRunSurroundings {
  readonly runner: () => Runner;
  readonly settings: () => Settings;
  /** Told about every draft that has been planned, before the one it takes the place of goes. */
  readonly onPlanned: (draft: Draft) => void;
}

/** The run that would start next: what was discovered for it, its name and its run config. */
export class NextRun {
  readonly request: RunRequest;
  readonly #options: NextRunOptions;
  readonly #surroundings: NextRunSurroundings;
  readonly #closing = new AbortController();
  #draft: Draft | undefined;
  #planning: Promise<Draft> | undefined;
  #name: string | undefined;
  #configName: string;

  /** Error: `bad-request` for names that cannot be, and for an unknown run config. */
  constructor(options: NextRunOptions, surroundings: NextRunSurroundings) {
    const { request, sessionName, runName, configName = defaultRunConfig } = options;
    checkName(sessionName, 'session');
    this.request = request;
    this.#options = options;
    this.#surroundings = surroundings;
    this.#name = runName === undefined ? undefined : checkName(runName, 'run');
    this.#configName = findRunConfig(surroundings.settings(), configName).name;
  }

  /** The not-started run, when there is one. */
  get current(): Draft | undefined {
    return this.#draft;
  }

  /** The not-started run; discovers what it is made of when there is none. */
  async draft(): Promise<Draft> {
    return this.#draft ?? this.plan();
  }

  /** Discovers again what the not-started run is made of; it keeps its id and name. */
  plan(): Promise<Draft> {
    this.#planning ??= this.#plan().finally(() => {
      this.#planning = undefined;
    });
    return this.#planning;
  }

  /** Plans the not-started run again, when there is one. */
  async planAgain(): Promise<void> {
    if (this.#draft !== undefined) await this.plan();
  }

  /** The not-started run is a saved one now, or not wanted any more. */
  async drop(): Promise<void> {
    const draft = this.#draft;
    this.#draft = undefined;
    if (draft === undefined) return;
    this.#name = undefined;
    await draft.dispose();
  }

  /** The run config it will be run with; `default` when the one that was selected is gone. */
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

  /** Remembers a name for it. Error: `bad-request`. */
  giveName(name: string): string {
    this.#name = checkName(name, 'run');
    return this.#name;
  }

  /** The name that was given; it is used once. */
  takeName(): string | undefined {
    const name = this.#name;
    this.#name = undefined;
    return name;
  }

  /** Gives up what is being planned; it must not take the place of anything any more. */
  abort(reason: unknown): void {
    this.#closing.abort(reason);
  }

  async close(): Promise<void> {
    await this.#planning?.catch(() => undefined);
    await this.#draft?.dispose();
  }

  async #plan(): Promise<Draft> {
    const before = this.#draft;
    const { runner, settings, onPlanned } = this.#surroundings;
    const header = before?.run.header;
    const name = header?.run_name ?? this.#name;
    const draft = await Draft.plan(runner(), {
      request: this.request,
      sessionName: this.#options.sessionName,
      config: resolveRunConfig(settings(), this.configName),
      workers: 1,
      streamLogs: false,
      signal: this.#closing.signal,
      ...(name === undefined ? {} : { runName: name }),
      ...(header === undefined ? {} : { runId: header.run_id }),
    });
    if (this.#draft !== before) {
      // The run with its id has started meanwhile.
      await draft.dispose();
      return this.#plan();
    }
    this.#draft = draft;
    onPlanned(draft);
    await before?.dispose();
    return draft;
  }
}
