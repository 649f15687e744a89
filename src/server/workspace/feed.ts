import { AssayError } from '../../errors.js';
import type { Row } from '../../store/replay/run-index.js';
import type { Store } from '../../store/store.js';
import type { StoredRun } from '../../store/stored-run.js';
import { Throttle } from './throttle.js';

/** Something that clients may want to know of. */
export type FeedChange =
  | { readonly type: 'run'; readonly run: StoredRun }
  | { readonly type: 'sessions' }
  /** Files with these names were saved. */
  | { readonly type: 'project'; readonly files: readonly string[] }
  | { readonly type: 'settings' };

/** Dependencies of a change feed. */
export interface Watched {
  readonly store: Store;
  readonly activeId: string;
  /** The runs that clients may be looking at. */
  openRuns(): Iterable<StoredRun>;
  isPaused(run: StoredRun): boolean;
}

// Least milliseconds between two flushes. Counting a very large run takes at most a twentieth of the time.
const flushPace = { interval: 100, rest: 20 };
// Minimum milliseconds between two looks for changes of other processes. Looks take at most a sixth of the time.
const pollPace = { interval: 500, rest: 5 };
/** Files that an event names. */
export const mostFiles = 20;

/**
 * Sends changes to subscribers, at most ten times a second, whatever process made them: it compares runs with their
 * state at the last event. Without subscribers, it stores, compares and watches nothing.
 */
export class ChangeFeed {
  readonly #watched: Watched;
  readonly #onBug: (error: unknown) => void;
  readonly #subscribers = new Set<{ readonly send: (block: string) => void }>();
  readonly #followed = new Map<StoredRun, FollowedRun>();
  readonly #touched = new Set<StoredRun>();
  readonly #throttle = new Throttle(() => this.#flush(), flushPace);
  readonly #poll = new Throttle(() => this.#look(), pollPace);
  #store: Store | undefined;
  /** Last known version of the listing. */
  #listing = 0;
  #activeId = '';
  #sessionsChanged = false;
  #settingsChanged = false;
  #savedFiles = new Set<string>();
  #isClosed = false;

  constructor(watched: Watched, onBug: (error: unknown) => void = () => undefined) {
    this.#watched = watched;
    this.#onBug = onBug;
  }

  /** True while somebody gets the events. */
  get hasSubscribers(): boolean {
    return this.#subscribers.size > 0;
  }

  /** Subscribes to event blocks for changes from now on. Returns a function that unsubscribes. */
  subscribe(send: (block: string) => void): () => void {
    if (this.#isClosed) return () => undefined;
    const subscriber = { send };
    if (this.#subscribers.size === 0) this.#begin();
    this.#subscribers.add(subscriber);
    return () => {
      if (this.#subscribers.delete(subscriber) && this.#subscribers.size === 0) this.#end();
    };
  }

  /** Takes note of something that may have changed. */
  take(change: FeedChange): void {
    if (this.#subscribers.size === 0) return;
    if (change.type === 'run') this.#touched.add(change.run);
    else if (change.type === 'sessions') this.#sessionsChanged = true;
    else if (change.type === 'project') for (const name of change.files) this.#savedFiles.add(name);
    else this.#settingsChanged = true;
    this.#throttle.request();
  }

  /** Reports changes in a newly opened run from now on; otherwise, they are reported only after the next check. */
  follow(run: StoredRun): void {
    const isKnown = this.#followed.has(run) || this.#touched.has(run);
    if (this.#subscribers.size > 0 && !isKnown) this.#takeAsKnown(run);
  }

  /** Stops sending events. */
  close(): void {
    this.#isClosed = true;
    this.#subscribers.clear();
    this.#end();
  }

  #begin(): void {
    this.#activeId = this.#watched.activeId;
    for (const run of this.#watched.openRuns()) this.#takeAsKnown(run);
    this.#store = this.#watched.store;
    // No client can have seen a listing before the first one.
    this.#listing = Math.max(1, this.#store.listingVersion);
    this.#poll.request();
  }

  #end(): void {
    this.#poll.cancel();
    this.#throttle.cancel();
    this.#followed.clear();
    this.#touched.clear();
    this.#sessionsChanged = false;
    this.#settingsChanged = false;
    this.#savedFiles.clear();
  }

  /** Reads what other processes have changed in the results directory. */
  async #look(): Promise<void> {
    for (const run of this.#watched.openRuns()) {
      // Before it is refreshed, a run is as clients have read it.
      this.follow(run);
      await run.refresh().catch((error: unknown) => this.#reportBug(error));
    }
    if (this.hasSubscribers) this.#lookThrough();
    if (this.hasSubscribers && (await this.#takeListing())) this.take({ type: 'sessions' });
    if (this.hasSubscribers) this.#poll.request();
  }

  /** Marks the current listing as known; returns true if it has changed. */
  async #takeListing(): Promise<boolean> {
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

  /** Checks all open runs after changes by other processes were read. */
  #lookThrough(): void {
    const open = new Set(this.#watched.openRuns());
    for (const run of this.#followed.keys()) {
      if (!open.has(run) && !this.#touched.has(run)) this.#followed.delete(run);
    }
    for (const run of open) {
      const followed = this.#followed.get(run);
      if (followed === undefined) this.follow(run);
      else if (this.#tryTo(() => followed.isBehind(this.#standing(run))) === true) {
        this.take({ type: 'run', run });
      }
    }
  }

  #takeAsKnown(run: StoredRun): void {
    const followed = new FollowedRun(run);
    this.#tryTo(() => followed.compare(this.#standing(run)));
    this.#followed.set(run, followed);
  }

  async #flush(): Promise<void> {
    if (this.#settingsChanged) this.#send({ type: 'settings', data: {} });
    this.#settingsChanged = false;
    if (this.#sessionsChanged) await this.#sendSessions();
    this.#touchActivated();
    const touched = [...this.#touched];
    this.#touched.clear();
    for (const run of touched) this.#sendRun(run);
    this.#sendProject();
  }

  async #sendSessions(): Promise<void> {
    this.#sessionsChanged = false;
    // Marks the listing as known, or the next check reports it again.
    await this.#takeListing();
    this.#send({ type: 'sessions', data: {} });
  }

  #sendProject(): void {
    const names = [...this.#savedFiles].sort();
    this.#savedFiles.clear();
    if (names.length === 0) return;
    const files = names.slice(0, mostFiles);
    this.#send({ type: 'project', data: { files, more: names.length - files.length } });
  }

  /** A change of the active run concerns two runs. */
  #touchActivated(): void {
    const { activeId } = this.#watched;
    if (activeId === this.#activeId) return;
    for (const run of this.#watched.openRuns()) {
      if (run.runId !== activeId && run.runId !== this.#activeId) continue;
      if (!this.#followed.has(run) && !this.#touched.has(run)) {
        const followed = new FollowedRun(run);
        followed.skipRows();
        this.#followed.set(run, followed);
      }
      this.#touched.add(run);
    }
    this.#activeId = activeId;
  }

  #sendRun(run: StoredRun): void {
    const followed = this.#followed.get(run) ?? new FollowedRun(run);
    this.#followed.set(run, followed);
    const difference = this.#tryTo(() => followed.compare(this.#standing(run)));
    if (difference === undefined) return;
    const { summary, hasNewSummary, indices, changed } = difference;
    const isListed = changed > 0 && changed <= indices.length;
    const unlisted_results = isListed ? 0 : changed;
    if (hasNewSummary || unlisted_results > 0) {
      this.#send({ type: 'run', data: { ...summary, unlisted_results } });
    }
    if (isListed) this.#send({ type: 'results', data: { run_id: run.runId, indices } });
  }

  #standing(run: StoredRun): RunStanding {
    return {
      isActive: run.runId === this.#watched.activeId,
      isPaused: this.#watched.isPaused(run),
    };
  }

  /** The result of an action; `undefined` if it fails, for example because the run was deleted. */
  #tryTo<T>(act: () => T): T | undefined {
    try {
      return act();
    } catch (error) {
      this.#reportBug(error);
      return undefined;
    }
  }

  #reportBug(error: unknown): void {
    if (!isTransient(error)) this.#onBug(error);
  }

  #send(event: ChangeEvent): void {
    const block = renderEvent(event);
    for (const { send } of this.#subscribers) send(block);
  }
}

/** The data of a `project` event. */
export interface ProjectChange {
  /** Names of the saved files, relative to the working directory. */
  readonly files: readonly string[];
  /** The number of files that `files` leaves out. */
  readonly more: number;
}

/** An event for clients. */
export type ChangeEvent =
  /** The summary of a run changed. */
  | { readonly type: 'run'; readonly data: RunChange }
  /** These results of a run changed. */
  | {
      readonly type: 'results';
      readonly data: { readonly run_id: string; readonly indices: readonly number[] };
    }
  /** The set of runs, or a name or figure in a listing, changed. */
  | { readonly type: 'sessions'; readonly data: Record<never, never> }
  /** Files of the project were saved, and what they affect has been discovered again. */
  | { readonly type: 'project'; readonly data: ProjectChange }
  /** Settings, or the selected run config, changed. */
  | { readonly type: 'settings'; readonly data: Record<never, never> };

/** Renders an event as a block of a server-sent event stream. */
function renderEvent({ type, data }: ChangeEvent): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** True for an error of a file that is currently missing, closed or unreadable, which is not a bug. */
function isTransient(error: unknown): boolean {
  if (error instanceof AssayError) return true;
  return error instanceof Error && 'syscall' in error;
}

/** The state of a run that is not stored with it. */
export interface RunStanding {
  readonly isActive: boolean;
  readonly isPaused: boolean;
}

/** More rows than this are counted, not named. */
export const mostIndices = 200;

/** A run with its state at the last check, which is empty at first. */
export class FollowedRun {
  readonly run: StoredRun;
  readonly #rows: Row[] = [];
  #version = '';
  #unfinished = 0;
  #summary = '';

  constructor(run: StoredRun) {
    this.run = run;
  }

  /** Takes the rows as known. */
  skipRows(): void {
    this.#compareRows();
  }

  /** True when `compare` would find a difference. */
  isBehind(standing: RunStanding): boolean {
    if (this.run.version !== this.#version) return true;
    return newsOf(this.#summarise(standing)) !== this.#summary;
  }

  /**
   * Compares the run with its state at the last check. `indices` are those of changed rows, at most `mostIndices`;
   * `changed` is their number.
   */
  compare(standing: RunStanding) {
    const { indices, changed } = this.#compareRows();
    const summary = this.#summarise(standing);
    const text = newsOf(summary);
    const hasNewSummary = text !== this.#summary;
    this.#summary = text;
    return { summary, hasNewSummary, indices, changed };
  }

  #compareRows(): { readonly indices: readonly number[]; readonly changed: number } {
    const { version, rows } = this.run;
    const indices: number[] = [];
    if (version === this.#version) return { indices, changed: 0 };
    // A run that is read again from the start may have fewer rows for a while.
    let changed = Math.max(0, this.#rows.length - rows.length);
    this.#rows.length = Math.min(this.#rows.length, rows.length);
    let unfinished = 0;
    for (const [index, row] of rows.entries()) {
      if (isGoing(row)) unfinished += 1;
      if (this.#rows[index] === row) continue;
      this.#rows[index] = row;
      changed += 1;
      if (changed <= mostIndices) indices.push(index);
    }
    this.#version = version;
    this.#unfinished = unfinished;
    return { indices, changed };
  }

  #summarise({ isActive, isPaused }: RunStanding) {
    const { path: _, created_at, ...head } = this.run.head();
    const { score_chips, pass_rate } = this.run.summary();
    return {
      ...head,
      /** Unix seconds; when the run last started. */
      timestamp: created_at,
      active: isActive,
      is_paused: isActive && isPaused,
      selected_total: this.run.selectedTotal,
      unfinished: this.#unfinished,
      score_chips,
      pass_rate,
    };
  }
}

/** The data of a `run` event. */
export type RunChange = ReturnType<FollowedRun['compare']>['summary'] & {
  /** The number of changed results that no `results` event lists; clients have to read them again. */
  readonly unlisted_results: number;
};

/** The parts of a summary that cause an event. Changed rows have their own event. */
function newsOf({ updated_at: _, ...summary }: { readonly updated_at: number }): string {
  return JSON.stringify(summary);
}

/** True for a row that is to run, or runs. */
export function isGoing({ status, pruned }: Row): boolean {
  return status === 'running' || (status === 'pending' && pruned !== true);
}
