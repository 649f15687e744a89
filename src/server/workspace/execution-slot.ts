import { AssayError } from '../../errors.js';
import type { Started } from '../../runner/runner.js';
import { unlessAborted } from '../../runner/unless-aborted.js';
import type { StoredRun } from '../../store/stored-run.js';
import { aboutToStart, inProgressOf } from './in-progress.js';

/** An execution from the moment it was asked for. */
interface Current {
  readonly abort: AbortController;
  /** Settles when it has begun, or could not. */
  readonly begun: Promise<Started | undefined>;
  started: Started | undefined;
  /** The run that it is about, when there is one before it has begun. */
  readonly run: StoredRun | undefined;
}

/** The place for the one execution that a server has at a time. */
export class ExecutionSlot {
  /** Called when an execution has begun and when it is over, with what went wrong if something did. */
  readonly #onChange: (started: Started, failure?: unknown) => void;
  #current: Current | undefined;
  /** Settles when what was started last has closed its log. */
  #closed: Promise<unknown> = Promise.resolve();

  constructor(onChange: (started: Started, failure?: unknown) => void) {
    this.#onChange = onChange;
  }

  /** The execution in progress; not one that only has to close its log. */
  get started(): Started | undefined {
    return this.isBusy ? this.#current?.started : undefined;
  }

  /** Something is in progress, or about to be. */
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
   * Begins an execution, of `run` when it is of one that is there already; what has finished or was stopped gets the time to end first. Errors: `busy`, `stopped` when it was stopped
   * before it had begun, and those of `begin`.
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

  /** Waits until what is about to start has begun, or failed to. */
  async settled(): Promise<Started | undefined> {
    await this.#current?.begun.catch(() => undefined);
    return this.started;
  }

  /**
   * Stops what is in progress; answers with how many rows were cancelled. Errors: `storage-full`, `storage-unusable` when
   * that could not be saved; it has stopped all the same, and reads as interrupted.
   */
  async stop(): Promise<number> {
    this.#current?.abort.abort();
    const started = await this.settled();
    if (started === undefined) return 0;
    const { execution, owner } = started;
    const cancelled = execution.stop();
    if (execution.failure !== undefined) throw execution.failure;
    // Listings of other processes say so from now on, although it takes a while to let go of the run.
    await owner.save().catch((error: unknown) => owner.onProblem(error));
    return cancelled;
  }

  /** Waits until what has finished or was stopped has let go of its run; not for what is in progress. */
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
    this.#closed = started.finished.catch(() => undefined);
    this.#onChange(started);
    const end = (failure?: unknown) => {
      this.#leave(current);
      this.#onChange(started, failure);
    };
    started.finished.then(() => end(), end);
  }

  #leave(current: Current): void {
    if (this.#current === current) this.#current = undefined;
  }
}

/** Its run reads as finished already. */
function isEnding({ started }: Current): boolean {
  return started !== undefined && started.owner.run.ownership?.executing !== true;
}
