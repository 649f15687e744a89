import type { StoredCalls } from '../../model/calls/stored-calls.js';
import type { HostMessage, Task } from '../../protocol/messages.js';
import type { FinishedResult } from '../events.js';
import type { Work } from '../executor.js';
import type { Assignments } from './assignments.js';

/** Collects the messages about tasks that arrived together, and reports them to the work. */
export class TaskReports {
  readonly #assigned: Assignments;
  readonly #work: Work | undefined;
  readonly #started = new Set<Task>();
  #finished: FinishedResult[] = [];

  constructor(assigned: Assignments, work: Work | undefined) {
    this.#assigned = assigned;
    this.#work = work;
  }

  /** True when something has started, if only to finish at once. */
  get haveStarted(): boolean {
    return this.#started.size > 0;
  }

  /** Takes a message in; false when it is not about tasks. */
  take(message: HostMessage): boolean {
    switch (message.type) {
      case 'started':
        for (const task of this.#assigned.start(message.tasks, performance.now())) {
          this.#started.add(task);
        }
        return true;
      case 'postponed':
        this.#postpone(this.#assigned.postpone(message.tasks));
        return true;
      case 'finished': {
        const { task: index, outcome, lingering } = message;
        const task = this.#assigned.finish(index, lingering, performance.now());
        if (task !== undefined) this.#finished.push({ index, id: task.id, outcome });
        return true;
      }
      case 'called':
        this.#count(message.task, message.calls);
        if (this.#assigned.addCalls(message.task, message.calls)) return true;
        // After the result that it belongs to.
        this.#reportFinished();
        this.#work?.onCalled(message.task, message.calls);
        return true;
      case 'held':
        this.#assigned.markHeld(message.task);
        return true;
      case 'released':
        this.#assigned.release(message.task);
        return true;
      case 'log': {
        // Keep the order of results and output.
        this.#reportFinished();
        const task = this.#assigned.get(message.task);
        if (task !== undefined) this.#work?.onPrinted(task, message.stream, message.text);
        return true;
      }
      default:
        return false;
    }
  }

  /** Takes back what was reported as started, with an earlier message. */
  #postpone(tasks: readonly Task[]): void {
    const reported = tasks.filter((task) => !this.#started.has(task));
    if (reported.length > 0) this.#work?.onReturned(reported);
  }

  #count(number: number, calls: StoredCalls): void {
    const task = this.#assigned.get(number);
    if (task !== undefined) this.#work?.calls?.called(number, task.id, calls);
  }

  /** Reports the rest; a task that has both started and finished is reported as finished only. */
  flush(): void {
    this.#reportFinished();
    const running = [...this.#started].filter(({ task }) => this.#assigned.isRunning(task));
    if (running.length > 0) this.#work?.onStarted(running);
  }

  #reportFinished(): void {
    if (this.#finished.length === 0) return;
    this.#work?.onFinished(this.#finished);
    this.#finished = [];
  }
}
