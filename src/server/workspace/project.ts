import { setTimeout as delay } from 'node:timers/promises';
import { AssayError } from '../../errors.js';
import type { RunRequest } from '../../runner/discovery/discover.js';
import type { RunEvent } from '../../runner/events.js';
import {
  ProjectWatch,
  searchedFolders,
  watchedAlways,
} from '../../runner/watching/project-watch.js';
import type { Settings } from '../../settings/settings.js';
import type { StoredRun } from '../../store/stored-run.js';
import type { LastDiscovery, NextRun } from './draft.js';
import type { ExecutionSlot } from './execution-slot.js';
import type { ChangeFeed } from './feed.js';
import { type CheckedRuns, RunChecks } from './run-checks.js';

/** Quiet milliseconds after which saves are reported, and how long they wait at most. */
const quietMs = 150;
const longestMs = 1000;

/** Milliseconds for which a report keeps the next one back. */
const patienceMs = 3000;

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
interface Served extends CheckedRuns {
  readonly settings: Settings;
  readonly slot: ExecutionSlot;
  readonly feed: ChangeFeed;
  readonly next: NextRun;
  readonly lastDiscovery: LastDiscovery;
  active(): Promise<StoredRun>;
}

/**
 * The project behind a workspace: notices saved files, discovers again, and tells what of runs is out of date. It
 * watches the files that evaluations depend on, and those that may become eval files; quick saves are reported once.
 */
export class ServedProject {
  readonly checks: RunChecks;
  readonly #workspace: Served;
  readonly #options: ServedProjectOptions;
  /** Absent if nothing is watched. */
  readonly #watch: ProjectWatch | undefined;
  #saved = new Set<string>();
  #savedSince = 0;
  #timer: NodeJS.Timeout | undefined;
  #isReporting = false;
  #isClosed = false;

  constructor(workspace: Served, options: ServedProjectOptions) {
    this.#workspace = workspace;
    this.#options = options;
    this.checks = new RunChecks(workspace, (looks, since) => this.#follow(looks, since));
    if (options.watches !== true) return;
    const { cwd, request, onWarning } = options;
    const { settings, runner } = workspace;
    this.#watch = new ProjectWatch({
      cwd,
      searched: searchedFolders(request.paths, cwd),
      leftOut: [runner.store.root, settings.effective('recordings_dir').value],
      onBatch: (names) => this.#take(names),
      // Rows that read what evaluations write are never carried over, which says enough.
      onWritten: () => undefined,
      onProblem: (text) => onWarning?.(text),
    });
  }

  /** Begins to watch for new eval files, and what every evaluation depends on. */
  start(): void {
    this.#follow(watchedAlways(this.#workspace.settings, this.#options.cwd), Date.now());
  }

  /** Watches what evaluations look at. */
  touch({ looks, writes, since }: Extract<RunEvent, { type: 'touched' }>): void {
    for (const name of writes) this.#watch?.leaveOut(name);
    this.#follow(looks, since);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#watch?.close();
    await this.checks.close();
  }

  /** Watches these, too; what was saved after `since`, in milliseconds since 1970, counts as saved now. */
  #follow(...[looks, since]: Parameters<ProjectWatch['follow']>): void {
    if (this.#isClosed) return;
    this.#watch?.follow(looks, since).catch((error: unknown) => {
      this.#options.onWarning?.(`Some files cannot be watched: ${String(error)}`);
    });
  }

  #take(names: readonly string[]): void {
    if (this.#saved.size === 0) this.#savedSince = performance.now();
    for (const name of names) this.#saved.add(name);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isClosed || this.#isReporting || this.#saved.size === 0) return;
    clearTimeout(this.#timer);
    const left = this.#savedSince + longestMs - performance.now();
    this.#timer = setTimeout(() => this.#report(), Math.max(0, Math.min(quietMs, left)));
  }

  /** Saves until this has ended are reported together, afterwards; but an import that takes long does not keep them back. */
  async #report(): Promise<void> {
    const names = [...this.#saved].sort();
    this.#saved = new Set();
    this.#isReporting = true;
    const discovered = this.#discover(names).catch((error: unknown) => this.#fail(error));
    await Promise.race([discovered, delay(patienceMs, undefined, { ref: false })]);
    this.#isReporting = false;
    this.#schedule();
  }

  /** Discovers again what saved files can have changed. Waits for the execution in progress. */
  async #discover(files: readonly string[]): Promise<void> {
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
