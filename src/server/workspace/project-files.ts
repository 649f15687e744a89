import { setTimeout as delay } from 'node:timers/promises';
import type { RunEvent } from '../../runner/events.js';
import {
  ProjectWatch,
  searchedFolders,
  watchedAlways,
} from '../../runner/watching/project-watch.js';
import type { Settings } from '../../settings/settings.js';

export interface ProjectFilesOptions {
  /** Absolute. */
  readonly cwd: string;
  /** The paths in which eval files are searched, as the user gave them. */
  readonly paths: readonly string[];
  /** Absolute; nothing in it counts, nor in the folder of recordings. */
  readonly resultsDir: string;
  /** They name files to watch. */
  readonly settings: Settings;
  /**
   * Receives the names of saved files, sorted. Saves until its promise settles are reported together, afterwards; but
   * an import that takes long does not keep them back.
   */
  readonly onSaved: (names: readonly string[]) => Promise<void>;
  /** Receives a message for the operator. */
  readonly onProblem: (text: string) => void;
}

/** Quiet milliseconds after which saves are reported, and how long they wait at most. */
const quietMs = 150;
const longestMs = 1000;
/** Milliseconds for which a report keeps the next one back. */
const patienceMs = 3000;

/** Watches the files that evaluations depend on, and those that may become eval files. Quick saves are reported once. */
export class ProjectFiles {
  readonly #options: ProjectFilesOptions;
  readonly #watch: ProjectWatch;
  #saved = new Set<string>();
  #savedSince = 0;
  #timer: NodeJS.Timeout | undefined;
  #isReporting = false;
  #isClosed = false;

  constructor(options: ProjectFilesOptions) {
    const { cwd, paths, resultsDir, settings, onProblem } = options;
    this.#options = options;
    this.#watch = new ProjectWatch({
      cwd,
      searched: searchedFolders(paths, cwd),
      leftOut: [resultsDir, settings.effective('recordings_dir').value],
      onBatch: (names) => this.#take(names),
      // Rows that read what evaluations write are never carried over, which says enough.
      onWritten: () => undefined,
      onProblem,
    });
  }

  /** Watches for new eval files, and what every evaluation depends on. */
  start(): void {
    this.follow(watchedAlways(this.#options.settings, this.#options.cwd), Date.now());
  }

  /** Watches what evaluations look at. */
  touch({ looks, writes, since }: Extract<RunEvent, { type: 'touched' }>): void {
    for (const name of writes) this.#watch.leaveOut(name);
    this.follow(looks, since);
  }

  /** Watches these, too; what was saved after `since`, in milliseconds since 1970, counts as saved now. */
  follow(...[looks, since]: Parameters<ProjectWatch['follow']>): void {
    if (this.#isClosed) return;
    this.#watch.follow(looks, since).catch((error: unknown) => {
      this.#options.onProblem(`Some files cannot be watched: ${String(error)}`);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#watch.close();
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

  async #report(): Promise<void> {
    const names = [...this.#saved].sort();
    this.#saved = new Set();
    this.#isReporting = true;
    try {
      await Promise.race([
        this.#options.onSaved(names),
        delay(patienceMs, undefined, { ref: false }),
      ]);
    } finally {
      this.#isReporting = false;
      this.#schedule();
    }
  }
}
