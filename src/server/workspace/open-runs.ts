import { AssayError, hasSystemCode } from '../../errors.js';
import type { Store } from '../../store/store.js';
import type { StoredRun } from '../../store/stored-run.js';

interface OpenRun {
  readonly run: StoredRun;
  /** Last use, as `performance.now()`. */
  usedAt: number;
}

export interface OpenRunsLimits {
  /** Runs of more results together than this are closed when nobody has asked for them for a while. */
  readonly rows: number;
  readonly runs: number;
  /** Milliseconds that a run stays open at least: opening a long one again takes a while. */
  readonly idle: number;
  /** The same where there are too many runs: descriptors that ran out have to come back soon. */
  readonly idleInCrowd: number;
}

const defaultLimits: OpenRunsLimits = {
  rows: 200_000,
  runs: 16,
  idle: 30_000,
  idleInCrowd: 3_000,
};

/** The saved runs a server keeps open, so that reading one result of a long run costs next to nothing. */
export class OpenRuns implements Iterable<StoredRun> {
  readonly #store: Store;
  readonly #limits: OpenRunsLimits;
  readonly #onOpened: (run: StoredRun) => void;
  readonly #open = new Map<string, OpenRun>();
  readonly #opening = new Map<string, Promise<StoredRun>>();
  #timer: NodeJS.Timeout | undefined;

  /** `onOpened`: called with each run that was not open before. */
  constructor(
    store: Store,
    onOpened: (run: StoredRun) => void = () => undefined,
    limits: OpenRunsLimits = defaultLimits,
  ) {
    this.#store = store;
    this.#onOpened = onOpened;
    this.#limits = limits;
  }

  [Symbol.iterator](): Iterator<StoredRun> {
    return [...this.#open.values()].map(({ run }) => run)[Symbol.iterator]();
  }

  /** The run with this id, with everything that other processes have appended. Error: `no-such-run`. */
  async get(runId: string): Promise<StoredRun> {
    const known = this.#open.get(runId);
    if (known === undefined) return this.#openOnce(runId);
    const endUse = known.run.use();
    try {
      await known.run.refresh();
      return known.run;
    } catch (error) {
      if (!isGone(error)) throw error;
      // Its process writes until that fails, too, and the lines until then can be read.
      if (known.run.ownership !== undefined) return known.run;
      await this.forget(runId);
      return this.#openOnce(runId);
    } finally {
      endUse();
      known.usedAt = performance.now();
    }
  }

  /** Adopts a run that was opened elsewhere. A run with the same id that is already open is closed once it is unused. */
  put(run: StoredRun): void {
    const before = this.#open.get(run.runId);
    this.#open.set(run.runId, { run, usedAt: performance.now() });
    if (before !== undefined && before.run !== run) void closeQuietly(before.run);
    this.#closeIdle();
  }

  /** Closes a run that is not there any more. */
  async forget(runId: string): Promise<void> {
    const known = this.#open.get(runId);
    this.#open.delete(runId);
    if (known !== undefined) await closeQuietly(known.run);
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#opening.values());
    clearTimeout(this.#timer);
    await Promise.all([...this.#open.keys()].map((runId) => this.forget(runId)));
  }

  /** Two requests for one run open it once. */
  #openOnce(runId: string): Promise<StoredRun> {
    const opening = this.#opening.get(runId);
    if (opening !== undefined) return opening;
    const opened = this.#store
      .openRun(runId)
      .then((run) => {
        this.put(run);
        this.#onOpened(run);
        return run;
      })
      .catch((error: unknown) => {
        throw isUnreadable(error) ? noRun(error) : error;
      })
      .finally(() => this.#opening.delete(runId));
    this.#opening.set(runId, opened);
    return opened;
  }

  /** Closes surplus runs that were not requested lately; the others are checked again later. */
  #closeIdle(): void {
    clearTimeout(this.#timer);
    const byUse = [...this.#open.values()].sort((a, b) => b.usedAt - a.usedAt);
    const now = performance.now();
    let rows = 0;
    let next = Number.POSITIVE_INFINITY;
    for (const [place, { run, usedAt }] of byUse.entries()) {
      rows += run.rows.length;
      const left = usedAt + this.#idleAt(place, rows) - now;
      if (left < 0 && run.ownership === undefined && !run.isInUse) void this.forget(run.runId);
      else next = Math.min(next, Math.max(left, 1000));
    }
    if (next === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(() => this.#closeIdle(), next);
    this.#timer.unref();
  }

  /** Time that an unused run stays open, by the number of runs and rows used after it. */
  #idleAt(place: number, rows: number): number {
    if (place >= this.#limits.runs) return this.#limits.idleInCrowd;
    return rows > this.#limits.rows ? this.#limits.idle : Number.POSITIVE_INFINITY;
  }
}

/** The folder was deleted, or the log replaced by something else. */
function isGone(error: unknown): boolean {
  if (hasSystemCode(error, 'ENOENT', 'EBADF')) return true;
  return error instanceof AssayError && error.code === 'storage-unusable';
}

function isUnreadable(error: unknown): error is AssayError {
  return error instanceof AssayError && error.code === 'unreadable-run';
}

/** True for a folder that cannot be opened as a run; the next listing moves it aside. */
function noRun(cause: AssayError): AssayError {
  return new AssayError('no-such-run', cause.message, { cause, hints: cause.hints });
}

async function closeQuietly(run: StoredRun): Promise<void> {
  // The log has everything; only `run.json` may be older, and a listing updates it.
  await run.closeWhenUnused().catch(() => undefined);
}
