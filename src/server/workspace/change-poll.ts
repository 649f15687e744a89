import { AssayError } from '../../errors.js';
import type { Store } from '../../store/store.js';
import type { StoredRun } from '../../store/stored-run.js';
import { Throttle } from './throttle.js';

/** The runs to watch. */
export interface WatchedRuns {
  readonly store: Store;
  openRuns(): Iterable<StoredRun>;
}

export interface ChangePollListeners {
  /** Called before a run is refreshed, while it is still as clients have read it. */
  readonly onRefresh: (run: StoredRun) => void;
  /** Called when all open runs are up to date. */
  readonly onRefreshed: () => void;
  /** Called when the listing has changed. */
  readonly onListing: () => void;
  readonly onBug: (error: unknown) => void;
}

// Minimum milliseconds between two checks. Checks take at most a sixth of the time.
const interval = 500;
const rest = 5;

/** Checks twice a second for changes of other processes in the results directory. */
export class ChangePoll {
  readonly #watched: WatchedRuns;
  readonly #listeners: ChangePollListeners;
  readonly #throttle = new Throttle(() => this.#look(), { interval, rest });
  #isOn = false;
  #store: Store | undefined;
  /** Last known version of the listing. */
  #listing = 0;

  constructor(watched: WatchedRuns, listeners: ChangePollListeners) {
    this.#watched = watched;
    this.#listeners = listeners;
  }

  /** Starts watching for changes after this moment. */
  start(): void {
    this.#isOn = true;
    this.#store = this.#watched.store;
    // No client can have seen a listing before the first one.
    this.#listing = Math.max(1, this.#store.listingVersion);
    this.#throttle.request();
  }

  stop(): void {
    this.#isOn = false;
    this.#throttle.cancel();
  }

  /** Marks the current listing as known; returns true if it has changed. */
  async takeListing(): Promise<boolean> {
    const { store } = this.#watched;
    try {
      const version = await store.watchListing();
      const isChanged = version !== this.#listing || store !== this.#store;
      this.#listing = version;
      this.#store = store;
      return isChanged;
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
    if (!isTransient(error)) this.#listeners.onBug(error);
  }
}

/** True for an error of a file that is currently missing, closed or unreadable, which is not a bug. */
export function isTransient(error: unknown): boolean {
  if (error instanceof AssayError) return true;
  return error instanceof Error && 'syscall' in error;
}
