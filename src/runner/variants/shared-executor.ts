import type { CallControl } from '../../model-calls/call-limiter.js';
import type { EvalFile, RunContext } from '../../protocol/messages.js';
import type { Executor, LoadedFiles, LoadOptions } from '../executor.js';
import { GroupWork, type RunOfGroup } from './group-work.js';

/** A run of the group that waits for the others, or is executed with them. */
interface Member extends RunOfGroup {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One executor for several runs: it loads the files once, begins when each run has its tasks or needs none, and ends when all
 * are done. Pausing and stopping one of the runs pauses and stops all.
 */
export class SharedExecutor {
  readonly #executor: Executor;
  /** By place in the group. */
  readonly #members = new Map<number, Member>();
  /** Places of runs that have their tasks, or need none; and of those that need the executor no more. */
  readonly #settled = new Set<number>();
  readonly #left = new Set<number>();
  readonly #runs: number;
  readonly #calls: () => CallControl | undefined;
  #loading: Promise<LoadedFiles> | undefined;
  #hasBegun = false;

  /** `runs`: how many there are; `calls`: decides about the calls of all, once one of them limits its own. */
  constructor(executor: Executor, runs: number, calls: () => CallControl | undefined) {
    this.#executor = executor;
    this.#runs = runs;
    this.#calls = calls;
  }

  /** The executor of the run at a place in the group. */
  ofRun(place: number): Executor {
    const { fingerprint } = this.#executor;
    return {
      load: (files, options) => this.load(files, options),
      describe: (ids, onValues) => this.#executor.describe(ids, onValues),
      ...(fingerprint && { fingerprint: () => fingerprint.call(this.#executor) }),
      execute: ([context], work) =>
        new Promise((resolve, reject) => {
          if (context === undefined) throw new Error('there is no run to execute');
          this.#members.set(place, { context, work, resolve, reject });
          if (this.#hasBegun) resolve();
          else this.#settle(place);
        }),
      pause: () => this.#executor.pause(),
      resume: () => this.#executor.resume(),
      stop: () => this.stop(),
      close: () => this.#leave(place),
      takeUnlisted: () => this.#executor.takeUnlisted?.() ?? [],
    };
  }

  /** Loads the files for all runs; later calls answer with what the first one has loaded. */
  load(files: readonly EvalFile[], options?: LoadOptions): Promise<LoadedFiles> {
    this.#loading ??= this.#executor.load(files, options);
    return this.#loading;
  }

  /** Ends what runs, and lets runs go that wait. */
  async stop(): Promise<void> {
    const hadBegun = this.#hasBegun;
    this.#hasBegun = true;
    await this.#executor.stop();
    if (!hadBegun) for (const { resolve } of this.#members.values()) resolve();
  }

  close(): void {
    this.#executor.close();
  }

  #leave(place: number): void {
    this.#left.add(place);
    if (this.#left.size === this.#runs) this.close();
    else this.#settle(place);
  }

  #settle(place: number): void {
    this.#settled.add(place);
    if (this.#settled.size === this.#runs && !this.#hasBegun) this.#begin();
  }

  #begin(): void {
    this.#hasBegun = true;
    const members = [...this.#members.values()];
    const [first] = members;
    if (first === undefined) return;
    const contexts = Array.from(
      { length: this.#runs },
      (_, place): RunContext => (this.#members.get(place) ?? first).context,
    );
    this.#executor.execute(contexts, new GroupWork(this.#members, this.#calls())).then(
      () => {
        for (const { resolve } of members) resolve();
      },
      (error: unknown) => {
        for (const { reject } of members) reject(error);
      },
    );
  }
}
