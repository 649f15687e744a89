import type { FinishedResult } from '../../events.js';

/** The jobs that an earlier execution of the run has left in its queues, and their results. */
export class EarlierJobs {
  /** Job by task. */
  readonly #jobs = new Map<number, string>();
  /** Results of those jobs whose task has not been taken. */
  readonly #results = new Map<number, FinishedResult>();
  /** Tasks that this execution has taken, and whose result comes from the job. */
  readonly #taken = new Set<number>();

  add(job: string, task: number): void {
    this.#jobs.set(task, job);
  }

  /** The job of a task. */
  jobOf(task: number): string | undefined {
    return this.#jobs.get(task);
  }

  /** The result of a task that is being taken, if its job has ended; nobody else gets it. */
  takeResult(task: number): FinishedResult | undefined {
    const result = this.#results.get(task);
    this.#results.delete(task);
    return result;
  }

  /** The task is taken; its job is still open. */
  await(task: number): void {
    this.#taken.add(task);
  }

  /** True if the run waits for a result: that of an earlier job may have been in the log before, and is kept until it is taken. */
  isWanted(job: string, result: FinishedResult): boolean {
    if (!this.isIdle(job, result.index)) return true;
    this.#results.set(result.index, result);
    return false;
  }

  /** True for an earlier job whose task nobody waits for. */
  isIdle(job: string, task: number): boolean {
    return this.#jobs.get(task) === job && !this.#taken.has(task);
  }
}
