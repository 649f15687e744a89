import type { FinishedResult } from '../../../dist/runner/events.js';
import type { Work } from '../../../dist/runner/executor.js';
import type { Task } from '../../../src/protocol/messages.js';

/** A run. */
export const context = { runId: 'r', runName: 'n', sessionName: 's', params: {} };

/** A list of tasks as an executor sees it, and what has become of them. */
export class TaskList implements Work {
  readonly ahead = 64;
  readonly finished: FinishedResult[] = [];
  readonly #tasks: Task[];

  constructor(ids: readonly string[], timeout = 10) {
    this.#tasks = ids.map((id, task) => ({ task, id, timeout }));
  }

  take(count: number): readonly Task[] {
    return this.#tasks.splice(0, count);
  }

  left(): number {
    return this.#tasks.length;
  }

  onStarted(): void {}
  onReturned(): void {}
  onPrinted(): void {}

  onCalled(): void {}

  onUnlisted(): void {}

  onCutOff(): void {}

  onFinished(finished: readonly FinishedResult[]): void {
    this.finished.push(...finished);
  }

  errorOf(id: string): string | null | undefined {
    return this.finished.find((one) => one.id === id)?.outcome.error;
  }

  statuses(): Record<string, string> {
    return Object.fromEntries(this.finished.map(({ id, outcome }) => [id, outcome.status]));
  }
}
