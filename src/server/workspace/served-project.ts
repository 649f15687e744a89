import { AssayError } from '../../errors.js';
import type { RunRequest } from '../../runner/discovery/discover.js';
import type { RunEvent } from '../../runner/events.js';
import type { RunnerDependencies } from '../../runner/runner-dependencies.js';
import { savedRunConfig } from '../../runner/saved-run/saved-run-config.js';
import type { Settings } from '../../settings/settings.js';
import type { StoredRun } from '../../store/stored-run.js';
import type { ChangeFeed } from './change-feed.js';
import type { ExecutionSlot } from './execution-slot.js';
import type { LastDiscovery } from './last-discovery.js';
import type { NextRun } from './next-run.js';
import { ProjectFiles } from './project-files.js';
import { RunChecks } from './run-checks.js';

export interface ServedProjectOptions {
  /** Absolute; the working directory of evaluations. */
  readonly cwd: string;
  readonly request: RunRequest;
  /** Watch the files of the project. Default false. */
  readonly watches?: boolean;
  /** Receives messages for the operator of the server. */
  readonly onWarning?: (text: string) => void;
  /** Called with errors that are not the user's. */
  readonly onFeedBug?: (error: unknown) => void;
}

/** The parts of the workspace that its project depends on. */
interface Served {
  readonly runner: RunnerDependencies;
  readonly settings: Settings;
  readonly slot: ExecutionSlot;
  readonly feed: ChangeFeed;
  readonly next: NextRun;
  readonly lastDiscovery: LastDiscovery;
  active(): Promise<StoredRun>;
  isDraft(run: StoredRun): boolean;
  readSettings(): Promise<Settings>;
}

/** The project behind a workspace: notices saved files, discovers again, and tells what of runs is out of date. */
export class ServedProject {
  readonly checks: RunChecks;
  readonly #workspace: Served;
  readonly #options: ServedProjectOptions;
  readonly #files: ProjectFiles | undefined;

  constructor(workspace: Served, options: ServedProjectOptions) {
    this.#workspace = workspace;
    this.#options = options;
    this.checks = new RunChecks({
      runner: () => workspace.runner,
      settingsOf: async (run) => ({
        config: savedRunConfig(run.header, await workspace.readSettings()),
        ...{ workers: 1, streamLogs: false },
      }),
      isDraft: (run) => workspace.isDraft(run),
      onLooks: (looks, since) => this.#files?.follow(looks, since),
    });
    if (options.watches !== true) return;
    const { cwd, request } = options;
    this.#files = new ProjectFiles({
      ...{ cwd, paths: request.paths, settings: workspace.settings },
      resultsDir: workspace.runner.store.root,
      onSaved: (names) => this.#take(names).catch((error: unknown) => this.#fail(error)),
      onProblem: (text) => options.onWarning?.(text),
    });
  }

  /** Begins to watch for eval files. */
  start(): void {
    this.#files?.start();
  }

  /** Watches what evaluations look at. */
  touch(event: Extract<RunEvent, { type: 'touched' }>): void {
    this.#files?.touch(event);
  }

  async close(): Promise<void> {
    await this.#files?.close();
    await this.checks.close();
  }

  /** Discovers again what saved files can have changed. Waits for the execution in progress. */
  async #take(files: readonly string[]): Promise<void> {
    const { slot, feed, next, settings } = this.#workspace;
    while (slot.isBusy) await slot.ended();
    this.checks.noteSave();
    if (files.includes(settings.fileName)) {
      await this.#workspace.readSettings();
      feed.take({ type: 'settings' });
    }
    await next.planAgain();
    if (feed.hasSubscribers) await this.#checkActive();
    feed.take({ type: 'project', files });
  }

  /** Checks the active run, so that clients that ask for it need not wait. */
  async #checkActive(): Promise<void> {
    const run = await this.#workspace.active();
    if (this.#workspace.isDraft(run)) return;
    try {
      const { problem } = await this.checks.of(run);
      this.#workspace.lastDiscovery.noteEnd(problem);
    } catch (error) {
      // It has just begun to run.
      if (!(error instanceof AssayError)) throw error;
    }
  }

  #fail(error: unknown): void {
    const { onWarning, onFeedBug } = this.#options;
    if (!(error instanceof AssayError)) onFeedBug?.(error);
    else if (error.code !== 'stopped') onWarning?.(error.inOneLine);
  }
}
