import { AssayError, hasSystemCode } from '../../errors.js';
import type { Store } from '../../store/store.js';
import type { StoredRun } from '../../store/stored-run.js';

interface OpenRun {
  readonly run: StoredRun;
  /** When it was last asked for; `performance.now()`. */
  usedAt: number;
}

export interface OpenRunsLimits {
  /** Runs of more results together than this are closed when nobody has asked for them for a while. */
  readonly rows: number;
  readonly runs: number;
  /** Milliseconds that a run stays open at least, so that nobody reads from one that is being closed. */
  readonly idle: number;
}

const defaultLimits: OpenRunsLimits = { rows: 200_000, runs: 16, idle: 30_000 };

/** The saved runs a server keeps open, so that reading one result of a long run costs next to nothing. */
export class OpenRuns implements Iterable<StoredRun> {
  readonly #store: Store;
  readonly #limits: OpenRunsLimits;
  readonly #onOpened: (run: StoredRun) => void;
  readonly #open = new Map<string, OpenRun>();
  readonly #opening = new Map<string, Promise<StoredRun>>();

  /** `onOpened` is told about each run that was not open before. */
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
    known.usedAt = performance.now();
    try {
      await known.run.refresh();
      return known.run;
    } catch (error) {
      if (!isGone(error)) throw error;
      await this.forget(runId);
      return this.#openOnce(runId);
    }
  }

  /** Takes in a run that was opened elsewhere. */
  put(run: StoredRun): void {
    const before = this.#open.get(run.runId);
    this.#open.set(run.runId, { run, usedAt: performance.now() });
    if (before !== undefined && before.run !== run) void closeQuietly(before.run);
  }

  /** Closes a run that is not there any more. */
  async forget(runId: string): Promise<void> {
    const known = this.#open.get(runId);
    this.#open.delete(runId);
    if (known !== undefined) await closeQuietly(known.run);
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#opening.values());
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
        this.#closeIdle();
        return run;
      })
      .finally(() => this.#opening.delete(runId));
    this.#opening.set(runId, opened);
    return opened;
  }

  #closeIdle(): void {
    const byUse = [...this.#open.values()].sort((a, b) => b.usedAt - a.usedAt);
    const oldest = performance.now() - this.#limits.idle;
    let rows = 0;
    for (const [place, { run, usedAt }] of byUse.entries()) {
      rows += run.rows.length;
      const isTooMuch = place >= this.#limits.runs || rows > this.#limits.rows;
      if (isTooMuch && usedAt < oldest && run.ownership === undefined) void this.forget(run.runId);
    }
  }
}

/** The folder was deleted, or the log replaced by something else. */
function isGone(error: unknown): boolean {
  if (hasSystemCode(error, 'ENOENT', 'EBADF')) return true;
  return error instanceof AssayError && error.code === 'storage-unusable';
}

async function closeQuietly(run: StoredRun): Promise<void> {
  // What it holds is in the log; only `run.json` may lag behind, and a listing mends that.
  await run.close().catch(() => undefined);
}
