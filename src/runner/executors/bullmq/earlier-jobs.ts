import type { Task } from '../../../protocol/messages.js';
import type { FinishedResult } from '../../events.js';

/** The jobs that an earlier execution of the run has left in its queues, and their results. */
export class EarlierJobs {
  /** Job by task. */
  readonly #jobs = new Map<number, string>();
  /** Results of those jobs whose task has not been taken. */
  readonly #results = new Map<number, FinishedResult>();
  /** Tasks that this execution has taken, and whose result comes from the job. */
  readonly #taken = new Set<number>();

  add(job: string, tasks: readonly Task[]): void {
    for (const { task } of tasks) this.#jobs.set(task, job);
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

  /** The results that the run waits for: of an earlier job, some may have been in the log before. */
  wanted(job: string, results: readonly FinishedResult[]): readonly FinishedResult[] {
    return results.filter((result) => {
      if (this.#jobs.get(result.index) !== job || this.#taken.has(result.index)) return true;
      this.#results.set(result.index, result);
      return false;
    });
  }

  /** True for a job none of whose tasks are waited for. */
  isIdle(job: string, tasks: readonly Task[]): boolean {
    return tasks.every(({ task }) => this.#jobs.get(task) === job && !this.#taken.has(task));
  }
}
