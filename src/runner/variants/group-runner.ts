import { CallLimiter } from '../../model-calls/call-limiter.js';
import type { RunEvent } from '../events.js';
import type { Started } from '../execution/begin-execution.js';
import type { Executor } from '../executor.js';
import {
  createExecutor,
  type ExecutionSettings,
  type RunnerDependencies,
} from '../runner-dependencies.js';
import { firstTaskOf } from './group-work.js';
import { SharedExecutor } from './shared-executor.js';

export interface GroupRunnerOptions extends ExecutionSettings {
  /** The number of runs. */
  readonly runs: number;
  readonly purpose: 'execute' | 'resume';
  /** US dollars that the runs have spent of their budget before. Default 0. */
  readonly spentBefore?: number;
  /** Receives what happens in the run at a place in the group. */
  readonly onEvent: (event: RunEvent, place: number) => void;
}

/**
 * Runners for the runs of a group, which are executed together: they share processes, the limits of calls and the budget. On
 * the workers of a queue each run has an executor of its own, because the workers share themselves out.
 */
export class GroupRunner {
  readonly #runner: RunnerDependencies;
  readonly #options: GroupRunnerOptions;
  readonly #shared: SharedExecutor | undefined;
  #limiter: CallLimiter | undefined;

  constructor(runner: RunnerDependencies, options: GroupRunnerOptions) {
    this.#runner = runner;
    this.#options = options;
    const executor = createExecutor(runner, options, options.purpose);
    if (executor.isRemote === true) executor.close();
    else this.#shared = new SharedExecutor(executor, options.runs, () => this.#limiter);
  }

  /** The runner for the run at a place in the group. */
  ofRun(place: number): RunnerDependencies {
    const shared = this.#shared;
    return {
      ...this.#runner,
      ...(shared && { makeExecutor: () => shared.ofRun(place) }),
      limitCalls: (limits) => {
        const { spentBefore = 0 } = this.#options;
        this.#limiter ??= new CallLimiter({ ...limits, spentBefore });
        return this.#limiter.ofRun(firstTaskOf(place), firstTaskOf(place + 1));
      },
      onEvent: (event) => this.#options.onEvent(event, place),
    };
  }

  /** An executor to look at the eval files, which the runs then have loaded already. Close it. */
  look(): Executor {
    const shared = this.#shared;
    if (shared === undefined) return createExecutor(this.#runner, this.#options, 'look');
    return Object.assign(shared.ofRun(0), { close: () => undefined });
  }

  /** The run at this place has nothing to do. */
  leave(place: number): void {
    this.#shared?.ofRun(place).close();
  }

  /** Stops the runs that have started, because not all of them could. */
  async abandon(started: readonly Started[]): Promise<void> {
    for (const { execution } of started) execution.stop();
    this.#shared?.close();
    await Promise.allSettled(started.map(({ finished }) => finished));
  }
}
