import { AssayError } from '../../errors.js';
import type { Started } from '../../runner/execution/begin-execution.js';
import { unlessAborted } from '../../runner/unless-aborted.js';
import type { StoredRun } from '../../store/stored-run.js';
import { aboutToStart, inProgressOf } from './progress.js';

/** An execution, from the moment of its request. */
interface Current {
  readonly abort: AbortController;
  /** Settles when the execution has begun or failed. */
  readonly begun: Promise<Started | undefined>;
  started: Started | undefined;
  /** The run that it belongs to, if that exists before it begins. */
  readonly run: StoredRun | undefined;
}

/** The slot for the single execution of a server. */
export class ExecutionSlot {
  /** Called when an execution begins and when it ends, with the error if it failed. */
  readonly #onChange: (started: Started, failure?: unknown) => void;
  #current: Current | undefined;
  /** Settles when the log of the last execution is closed. */
  #closed: Promise<unknown> = Promise.resolve();

  constructor(onChange: (started: Started, failure?: unknown) => void) {
    this.#onChange = onChange;
  }

  /** The execution in progress, unless it only has to close its log. */
  get started(): Started | undefined {
    return this.isBusy ? this.#current?.started : undefined;
  }

  /** The execution that is in progress, or only has to close its log: what is on disk says less than its run. */
  get unclosed(): Started | undefined {
    return this.#current?.started;
  }

  /** True when something is in progress or about to be. */
  get isBusy(): boolean {
    return this.#current !== undefined && !isEnding(this.#current);
  }

  /** Error: `busy` when something is in progress. */
  refuseIfBusy(what: string): void {
    if (!this.isBusy) return;
    const { started, run } = this.#current ?? {};
    const subject =
      started === undefined ? 'A run is about to start' : `${started.run_name} is in progress`;
    throw new AssayError('busy', `${subject}, so ${what} has to wait.`, {
      hints: ['Wait until it has finished, or stop it first.'],
      inProgress:
        started === undefined ? run && aboutToStart(run) : inProgressOf(started.owner.run),
    });
  }

  /**
   * Begins an execution; `run` is the existing run that it belongs to, if any. Waits first for a finished or
   * stopped execution to end. Errors: `busy`, `stopped` if it was stopped before it began, and those of `begin`.
   */
  async occupy(
    begin: (signal: AbortSignal) => Promise<Started | undefined>,
    run?: StoredRun,
  ): Promise<Started | undefined> {
    this.refuseIfBusy('this');
    const abort = new AbortController();
    const begun = this.#begin(abort.signal, begin);
    const current: Current = { abort, begun, started: undefined, run };
    this.#current = current;
    try {
      const started = await begun;
      current.started = started;
      if (started === undefined) this.#leave(current);
      else this.#follow(current, started);
      return started;
    } catch (error) {
      this.#leave(current);
      if (!abort.signal.aborted) throw error;
      throw new AssayError('stopped', 'It was stopped before it had begun.', { cause: error });
    }
  }

  /** Waits until a pending execution has begun, or failed to. */
  async settled(): Promise<Started | undefined> {
    await this.#current?.begun.catch(() => undefined);
    return this.started;
  }

  /**
   * Stops the execution in progress and returns the number of cancelled rows. Errors: `storage-full`, `storage-unusable`
   * when that could not be saved; the execution has stopped anyway, and reads as interrupted.
   */
  async stop(): Promise<number> {
    this.#current?.abort.abort();
    const started = await this.settled();
    if (started === undefined) return 0;
    const all = withOthers(started);
    const cancelled = all.reduce((sum, { execution }) => sum + execution.stop(), 0);
    for (const { execution, owner } of all) {
      if (execution.failure !== undefined) throw execution.failure;
      // Listings of other processes show it from now on, although releasing the run takes a while.
      await owner.save().catch((error: unknown) => owner.onProblem(error));
    }
    return cancelled;
  }

  /** Waits until a finished or stopped execution has released its run; does not wait for one in progress. */
  async closed(): Promise<void> {
    if (this.started === undefined) await this.#closed;
  }

  /** Resolves when nothing runs any more. */
  async ended(): Promise<void> {
    await this.#current?.begun.catch(() => undefined);
    await this.#closed;
  }

  async #begin(
    signal: AbortSignal,
    begin: (signal: AbortSignal) => Promise<Started | undefined>,
  ): Promise<Started | undefined> {
    await unlessAborted(this.#closed, signal);
    return begin(signal);
  }

  #follow(current: Current, started: Started): void {
    const finished = Promise.all(withOthers(started).map((one) => one.finished));
    this.#closed = Promise.allSettled(withOthers(started).map((one) => one.finished));
    this.#onChange(started);
    const end = (failure?: unknown) => {
      this.#leave(current);
      this.#onChange(started, failure);
    };
    finished.then(() => end(), end);
  }

  #leave(current: Current): void {
    if (this.#current === current) this.#current = undefined;
  }
}

/** True when its run already reads as finished. */
function isEnding({ started }: Current): boolean {
  return (
    started !== undefined &&
    withOthers(started).every(({ owner }) => owner.run.ownership?.executing !== true)
  );
}

/** The runs that are executed together: one, or those of a group. */
export function withOthers(started: Started): readonly Started[] {
  return [started, ...(started.others ?? [])];
}
