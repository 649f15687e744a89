import type { StoredCall, StoredCalls } from '../model/calls/stored-calls.js';
import type { FileReads, Read } from '../model/code/file-code.js';
import type { CallLimiter } from '../model-calls/call-limiter.js';
import type { LogStream, Task } from '../protocol/messages.js';
import type { FinishedResult } from '../runner/events.js';
import type { Work } from '../runner/executor.js';

export interface FedWorkOptions {
  readonly calls: CallLimiter | undefined;
  /** There are tasks to take. */
  readonly onMore: () => void;
  readonly onPrinted: (task: number, stream: LogStream, text: string) => void;
  /** Calls of a task ended after its result was delivered. */
  readonly onLate: (task: number, calls: StoredCalls) => void;
}

/** In place of a task: calls that are in no result. */
export const noTask = -1;

interface Fed {
  readonly task: Task;
  readonly resolve: (result: FinishedResult) => void;
  readonly reject: (error: unknown) => void;
  isRunning: boolean;
}

/** Work that arrives task by task, such as jobs of a queue, for an executor that goes on until it is closed. */
export class FedWork implements Work {
  readonly #options: FedWorkOptions;
  readonly #waiting: Task[] = [];
  readonly #fed = new Map<number, Fed>();
  /** By eval file, and by what was looked at and seen. */
  readonly #reads = new Map<string, Map<string, Read>>();
  #isClosed = false;

  constructor(options: FedWorkOptions) {
    this.#options = options;
  }

  /** Hands a task to the executor; resolves with its result. */
  add(task: Task): Promise<FinishedResult> {
    if (this.#isClosed) return Promise.reject(new Error('the run has ended'));
    this.#waiting.push(task);
    const end = new Promise<FinishedResult>((resolve, reject) => {
      this.#fed.set(task.task, { task, resolve, reject, isRunning: false });
    });
    this.#options.onMore();
    return end;
  }

  /** Fails the tasks that have not finished; nothing else is taken. */
  close(reason: unknown): void {
    this.#isClosed = true;
    this.#waiting.length = 0;
    for (const { reject } of this.#fed.values()) reject(reason);
    this.#fed.clear();
  }

  /** Numbers of the tasks that have not begun. */
  get waiting(): readonly number[] {
    return [...this.#fed.values()].flatMap(({ task, isRunning }) => (isRunning ? [] : task.task));
  }

  /** Tasks that run now. */
  get running(): readonly Task[] {
    return [...this.#fed.values()].flatMap(({ task, isRunning }) => (isRunning ? [task] : []));
  }

  get calls(): CallLimiter | undefined {
    return this.#options.calls;
  }

  /** A worker takes no more jobs than it has slots. */
  readonly ahead = 0;

  take(count: number): readonly Task[] {
    return this.#waiting.splice(0, count);
  }

  /** At least one while more may come, so that the executor does not end. */
  left(): number {
    return this.#waiting.length + (this.#isClosed ? 0 : 1);
  }

  onStarted(tasks: readonly Task[]): void {
    for (const { task } of tasks) {
      const fed = this.#fed.get(task);
      if (fed !== undefined) fed.isRunning = true;
    }
  }

  onReturned(tasks: readonly Task[]): void {
    for (const { task } of tasks) {
      this.calls?.forget(task);
      const fed = this.#fed.get(task);
      if (fed !== undefined) fed.isRunning = false;
    }
  }

  onFinished(finished: readonly FinishedResult[]): void {
    for (const one of finished) {
      const { index, id, outcome } = one;
      if (outcome.calls !== undefined) this.calls?.called(index, id, outcome.calls);
      const result = this.calls?.limited(one) ?? one;
      this.calls?.forget(index);
      const fed = this.#fed.get(index);
      this.#fed.delete(index);
      fed?.resolve(result);
    }
  }

  onReads(reads: readonly FileReads[]): void {
    for (const { file, reads: news } of reads) {
      const known = this.#reads.get(file) ?? new Map<string, Read>();
      this.#reads.set(file, known);
      for (const read of news) known.set(`${read.kind}\0${read.name}\0${read.hash}`, read);
    }
  }

  /** All that evaluations have looked at so far. */
  get reads(): readonly FileReads[] {
    return [...this.#reads].map(([file, reads]) => ({ file, reads: [...reads.values()] }));
  }

  onPrinted({ task }: Task, stream: LogStream, text: string): void {
    this.#options.onPrinted(task, stream, text);
  }

  onCalled(task: number, calls: StoredCalls): void {
    this.#options.onLate(task, calls);
  }

  onUnlisted(calls: readonly StoredCall[]): void {
    if (calls.length > 0) this.#options.onLate(noTask, { calls, texts: [] });
  }

  onCutOff(): void {}
}
