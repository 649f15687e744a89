import type { StoredCall, StoredCalls } from '../../model/calls/stored-calls.js';
import type { FileReads, FoundCode } from '../../model/code/file-code.js';
import type { CallControl } from '../../model-calls/call-limiter.js';
import type { LogStream, RunContext, Task } from '../../protocol/messages.js';
import type { FinishedResult } from '../events.js';
import type { Work } from '../executor.js';

/** A run of a group, and what it has to do. */
export interface RunOfGroup {
  readonly context: RunContext;
  readonly work: Work;
}

/** Tasks of a run in a group have numbers from its place times this on. */
const numbersOfRun = 2 ** 32;

/** The number that the first task of a run has in its group. */
export function firstTaskOf(run: number): number {
  return run * numbersOfRun;
}

/** The place in the group of the run that has a task. */
export function placeOfTask(task: number): number {
  return Math.floor(task / numbersOfRun);
}

/** The number of a task in its run. */
export function rowOfTask(task: number): number {
  return task % numbersOfRun;
}

/**
 * The work of several runs as that of one: a task of each in turn, so that a slow hour or an outage hits all alike. What
 * belongs to no task, such as calls of imports, is that of the first run.
 */
export class GroupWork implements Work {
  readonly calls: CallControl | undefined;
  readonly #works: ReadonlyMap<number, Work>;
  readonly #places: readonly number[];
  #next = 0;
  readonly #reads: FileReads[] = [];
  /** What one run has looked at, any other may know. */
  #haveWritten = false;

  /** `runs`: by place in the group; `calls`: decides about those of all, by the numbers of the group. */
  constructor(runs: ReadonlyMap<number, RunOfGroup>, calls: CallControl | undefined) {
    this.#places = [...runs.keys()].sort((a, b) => a - b);
    this.#works = new Map([...runs].map(([place, { work }]) => [place, work]));
    this.calls = calls;
  }

  get ahead(): number {
    return Math.min(...[...this.#works.values()].map(({ ahead }) => ahead));
  }

  take(count: number): Task[] {
    const taken: Task[] = [];
    for (let empty = 0; taken.length < count && empty < this.#places.length; ) {
      const run = this.#places[this.#next] ?? 0;
      this.#next = (this.#next + 1) % this.#places.length;
      const [task] = this.#works.get(run)?.take(1) ?? [];
      empty = task === undefined ? empty + 1 : 0;
      if (task !== undefined) taken.push({ ...task, task: firstTaskOf(run) + task.task, run });
    }
    return taken;
  }

  left(): number {
    return [...this.#works.values()].reduce((sum, work) => sum + work.left(), 0);
  }

  onStarted(tasks: readonly Task[]): void {
    for (const [work, own] of this.#byRun(tasks, ownTask)) work.onStarted(own);
  }

  onReturned(tasks: readonly Task[]): void {
    for (const [work, own] of this.#byRun(tasks, ownTask)) work.onReturned(own);
  }

  onFinished(finished: readonly FinishedResult[]): void {
    const all = finished.map((one) => ({ ...one, task: one.index }));
    const toOwn = ({ task, ...one }: (typeof all)[number]) => ({ ...one, index: rowOfTask(task) });
    for (const [work, own] of this.#byRun(all, toOwn)) work.onFinished(own);
  }

  onPrinted(task: Task, stream: LogStream, text: string): void {
    this.#workOf(task.task)?.onPrinted(ownTask(task), stream, text);
  }

  onCalled(task: number, calls: StoredCalls): void {
    this.#workOf(task)?.onCalled(rowOfTask(task), calls);
  }

  onCode(codes: readonly FoundCode[]): void {
    for (const work of this.#works.values()) work.onCode?.(codes);
  }

  onCodeProblem(problem: string): void {
    for (const work of this.#works.values()) work.onCodeProblem?.(problem);
  }

  onReads(reads: readonly FileReads[], runs: readonly number[]): void {
    this.#reads.push(...reads);
    for (const run of this.#haveWritten ? this.#places : runs) {
      this.#works.get(run)?.onReads?.(reads, [run]);
    }
  }

  onWrote(): void {
    if (this.#haveWritten) return;
    this.#haveWritten = true;
    for (const [run, work] of this.#works) work.onReads?.(this.#reads, [run]);
  }

  onUnlisted(calls: readonly StoredCall[]): void {
    this.#works.get(this.#places[0] ?? 0)?.onUnlisted(calls);
  }

  /** Nobody knows of which run the lost attempts were. */
  onCutOff(): void {
    for (const work of this.#works.values()) work.onCutOff();
  }

  #workOf(task: number): Work | undefined {
    return this.#works.get(placeOfTask(task));
  }

  #byRun<T extends { readonly task: number }, Own>(
    all: readonly T[],
    toOwn: (one: T) => Own,
  ): Map<Work, Own[]> {
    const found = new Map<Work, Own[]>();
    for (const one of all) {
      const work = this.#workOf(one.task);
      if (work === undefined) continue;
      const own = found.get(work) ?? [];
      own.push(toOwn(one));
      found.set(work, own);
    }
    return found;
  }
}

function ownTask({ run: _, ...task }: Task): Task {
  return { ...task, task: rowOfTask(task.task) };
}
