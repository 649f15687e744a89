import type { FinishedResult } from '../../events.js';

/** How long the tasks of one job should take, in milliseconds. */
const jobMs = 200;
const maxTasks = 500;

/** Finds how many tasks to put into a job, from the measured time of finished ones. */
export class BatchSize {
  #tasks = 0;
  #ms = 0;

  add(results: readonly FinishedResult[]): void {
    const times = results.flatMap(({ outcome }) => outcome.tookMs ?? []);
    const tasks = times.length;
    const ms = times.reduce((sum, took) => sum + took, 0);
    // Newer tasks count more.
    const keep = Math.min(1, 2_000 / (this.#tasks + 1));
    this.#tasks = this.#tasks * keep + tasks;
    this.#ms = this.#ms * keep + ms;
  }

  /** Tasks for the next job, so that the last ones are spread over all slots. */
  next(left: number, slots: number): number {
    if (this.#tasks === 0) return 1;
    const wanted = Math.floor(jobMs / Math.max(this.#ms / this.#tasks, 0.1));
    const fair = Math.ceil(left / Math.max(slots, 1));
    return Math.max(1, Math.min(wanted, fair, maxTasks));
  }
}
