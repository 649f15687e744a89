import type { Store } from '../../store/store.js';
import type { StoredRun } from '../../store/stored-run.js';
import { isPassing } from './change-failure.js';
import { Throttle } from './throttle.js';

/** What is watched. */
export interface WatchedRuns {
  readonly store: Store;
  openRuns(): Iterable<StoredRun>;
}

export interface RunWatchListeners {
  /** This run is about to be brought up to date: until now it is as clients have read it. */
  readonly onRefresh: (run: StoredRun) => void;
  /** Open runs are up to date now. */
  readonly onRefreshed: () => void;
  /** A listing would read differently. */
  readonly onListing: () => void;
  readonly onBug: (error: unknown) => void;
}

// Milliseconds between two looks at least. A look takes at most a sixth of the time.
const interval = 500;
const rest = 5;

/** Looks twice a second for what other processes did in the results directory. */
export class RunWatch {
  readonly #watched: WatchedRuns;
  readonly #listeners: RunWatchListeners;
  readonly #throttle = new Throttle(() => this.#look(), { interval, rest });
  #isOn = false;
  #store: Store | undefined;
  /** Version of the listing that is known. */
  #listing = 0;

  constructor(watched: WatchedRuns, listeners: RunWatchListeners) {
    this.#watched = watched;
    this.#listeners = listeners;
  }

  /** What was listed before this moment is known. */
  start(): void {
    this.#isOn = true;
    this.#store = this.#watched.store;
    // Nobody can have seen a listing before the first one.
    this.#listing = Math.max(1, this.#store.listingVersion);
    this.#throttle.request();
  }

  stop(): void {
    this.#isOn = false;
    this.#throttle.cancel();
  }

  /** Takes the listing as it is now as known; true when it reads differently than before. */
  async takeListing(): Promise<boolean> {
    const { store } = this.#watched;
    try {
      const version = await store.watchListing();
      const isNews = version !== this.#listing || store !== this.#store;
      this.#listing = version;
      this.#store = store;
      return isNews;
    } catch (error) {
      this.#reportBug(error);
      return false;
    }
  }

  async #look(): Promise<void> {
    for (const run of this.#watched.openRuns()) {
      if (this.#isOn) this.#listeners.onRefresh(run);
      await run.refresh().catch((error: unknown) => this.#reportBug(error));
    }
    if (this.#isOn) this.#listeners.onRefreshed();
    if (this.#isOn && (await this.takeListing())) this.#listeners.onListing();
    if (this.#isOn) this.#throttle.request();
  }

  #reportBug(error: unknown): void {
    if (!isPassing(error)) this.#listeners.onBug(error);
  }
}
