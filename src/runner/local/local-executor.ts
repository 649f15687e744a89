import { setTimeout as delay } from 'node:timers/promises';
import type { StoredCall } from '../../model/calls/stored-calls.js';
import type { FoundCode } from '../../model/code/file-code.js';
import { addTo } from '../../model/lists-by-key.js';
import { stopVariable, tsconfigVariable } from '../../protocol/host-variables.js';
import type {
  DescribedValues,
  Descriptor,
  EmptyFile,
  EvalFile,
  ImportFailure,
  LoadedModules,
  RunContext,
  Task,
} from '../../protocol/messages.js';
import type {
  Executor,
  LoadedFiles,
  LoadOptions,
  LocalExecutorOptions,
  Work,
} from '../executor.js';
import { lostText } from './host-exit.js';
import { cannotStart, longestTimerMs, processEnded, type SentCode, Worker } from './worker.js';
import type { WorkerSettings } from './worker-options.js';

/** Most processes that find out which of several evaluations ends its process. */
const maxQuarantine = 4;

/** Milliseconds that an execution waits for its code at its end. Without it, all of its results count as changed. */
const mostCodeMs = 60_000;

/** Milliseconds that an execution waits for reports of processes that are busy at its end. */
const mostEndingMs = 500;

/** Executes evaluations in a pool of host processes on this machine. */
export class LocalExecutor implements Executor {
  readonly #settings: WorkerSettings;
  readonly #workers: Worker[];
  /** The worker of each run, where each has its own; absent where all runs share all. */
  #workerOfRun: Map<number, Worker> | undefined;
  readonly #mayDivide: boolean;
  #readsFiles = false;
  /** Workers that run one task at a time, while there are suspects. */
  #quarantine: Worker[] = [];
  #suspects: Task[] = [];
  /** Calls that are in no result, and nobody has been told of. */
  #unlisted: StoredCall[] = [];
  #files: readonly EvalFile[] = [];
  #again: Task[] = [];
  #runs: readonly RunContext[] = [];
  #work: Work | undefined;
  #isPaused = false;
  #stopping = false;
  /** The code of the loaded files, once it was asked for. */
  #code: Promise<SentCode> | undefined;
  #settle: { resolve: () => void; reject: (error: unknown) => void } | undefined;

  constructor(options: LocalExecutorOptions) {
    const { concurrency, isolate = false, env, tsconfig } = options;
    const { importTimeout = 30, shortageDeadlineMs = 60_000, calls, inspect } = options;
    const workers = isolate ? concurrency : Math.min(options.workers ?? 1, concurrency);
    this.#mayDivide = !isolate && options.workers === undefined;
    const slots = Math.floor(concurrency / workers);
    this.#settings = {
      ...options,
      env: {
        ...env,
        ...(tsconfig !== undefined && { [tsconfigVariable]: tsconfig }),
        ...(inspect?.stops && { [stopVariable]: '1' }),
      },
      slots,
      isolate,
      importDeadlineMs: inspect === undefined ? importTimeout * 1000 : longestTimerMs,
      shortageDeadlineMs,
      calls: {
        ...calls,
        recordings: calls.recordings && { ...calls.recordings, since: Date.now() },
      },
      onUnlisted: (calls) => {
        this.#unlisted.push(...calls);
        if (this.#work !== undefined) this.#work.onUnlisted(this.takeUnlisted());
      },
    };
    const wider = concurrency % workers;
    this.#workers = Array.from(
      { length: workers },
      (_, at) => new Worker({ ...this.#settings, slots: at < wider ? slots + 1 : slots }),
    );
  }

  async load(files: readonly EvalFile[], options: LoadOptions = {}): Promise<LoadedFiles> {
    let descriptors: readonly Descriptor[] = [];
    let empty: readonly EmptyFile[] = [];
    let code: string | undefined;
    let modules: LoadedModules | undefined;
    const failures: ImportFailure[] = [];
    for (let left = files; left.length > 0; ) {
      const loaded = await this.#first.load(left, true, options);
      ({ descriptors, empty, code, modules } = loaded);
      this.#readsFiles = loaded.readsFiles === true;
      failures.push(...loaded.failures);
      if (loaded.ended === undefined) break;
      if (loaded.ended === 'at-boot') throw cannotStart(loaded);
      // The process is gone: the good files are imported again, in the next one.
      left = without(left, failures);
    }
    this.#files = without(files, failures);
    return { descriptors, failures, empty, code, modules };
  }

  describe(
    ids: readonly string[],
    onValues: (values: readonly DescribedValues[]) => void,
  ): Promise<void> {
    return this.#first.describe(ids, onValues);
  }

  async fingerprint(): Promise<readonly FoundCode[]> {
    this.#code ??= this.#first.fingerprint();
    return (await this.#code).found;
  }

  async execute(runs: readonly RunContext[], work: Work): Promise<void> {
    this.#runs = runs;
    this.#work = work;
    work.onUnlisted(this.takeUnlisted());
    const done = new Promise<void>((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    const { slots, isolate } = this.#settings;
    // Several processes must not hoard what another could run.
    const shared = this.#workers.length === 1 ? work.ahead : Math.min(slots, work.ahead);
    const ahead = isolate ? 0 : shared;
    // What one run has read, another that shares its process may know.
    if (this.#mayDivide && this.#readsFiles && runs.length > 1) this.#workerOfRun = new Map();
    for (const worker of this.#workers) {
      this.#begin(worker, work, this.#again, this.#workerOfRun === undefined ? ahead : 0);
    }
    // Before the first tasks, whose latency it must not add to.
    this.#sendCode(work);
    this.fill();
    await done;
    if (!this.#stopping) await this.#endCode(work);
    const retired = Promise.all(this.#all.map((worker) => worker.retire()));
    await Promise.race([retired, delay(mostEndingMs, undefined, { ref: false })]);
  }

  /** Finds the code of the loaded files for work that is executed elsewhere. Resolves when no more will come. */
  async findCode(work: Work): Promise<void> {
    this.#sendCode(work);
    await this.#endCode(work);
  }

  #sendCode(work: Work): void {
    if (work.onCode === undefined || this.#code !== undefined) return;
    this.#code = this.#first.fingerprint();
    void this.#code.then(({ found }) => work.onCode?.(found));
  }

  /** Waits for the code that is still to come; what a lost process has not sent is found in another. */
  async #endCode(work: Work): Promise<void> {
    if (work.onCode === undefined) return;
    const late = `it took longer than ${mostCodeMs / 1000} s`;
    const patience = setTimeout(() => this.#first.endCode(late), mostCodeMs);
    let { problem } = (await this.#code) ?? {};
    if (problem === processEnded && !this.#stopping) {
      const again = await this.#first.fingerprintAgain(this.#files);
      work.onCode(again.found);
      problem = again.problem;
    }
    clearTimeout(patience);
    if (problem !== undefined) work.onCodeProblem?.(problem);
  }

  async pause(): Promise<void> {
    this.#isPaused = true;
    await Promise.all(this.#all.map((worker) => worker.recall()));
  }

  resume(): void {
    this.#isPaused = false;
    this.fill();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#first.endCode();
    await Promise.all(this.#all.map((worker) => worker.stop()));
    this.#settle?.resolve();
  }

  close(): void {
    this.#stopping = true;
    for (const worker of this.#all) worker.close();
  }

  takeUnlisted(): StoredCall[] {
    return this.#unlisted.splice(0);
  }

  get #all(): Worker[] {
    return [...this.#workers, ...this.#quarantine];
  }

  get #first(): Worker {
    const [worker] = this.#workers;
    if (worker === undefined) throw new Error('an executor has at least one worker');
    return worker;
  }

  /** `back` takes the tasks the worker gives back before they have finished. */
  #begin(worker: Worker, work: Work, back: Task[], ahead: number): void {
    worker.begin(this.#runs, this.#files, ahead, {
      work,
      onReturned: (tasks) => {
        back.push(...tasks);
      },
      onLost: (lost) => {
        back.push(...lost.innocent);
        this.#suspects.push(...lost.suspects);
        work.onReturned([...lost.innocent, ...lost.suspects]);
        this.#settings.onWarning(lostText(lost));
      },
      onRoom: () => this.fill(),
      onFailure: (error) => this.#settle?.reject(error),
    });
  }

  /**
   * Gives every worker as many tasks as it takes; the execution ends when no task is left or running. Call it when the
   * work has more tasks than before.
   */
  fill(): void {
    const work = this.#work;
    if (work === undefined || this.#stopping) return;
    if (!this.#isPaused && !this.#fillQuarantine(work)) {
      if (this.#workerOfRun !== undefined) this.#fillByRun(this.#workerOfRun, work);
      else {
        // Fill free slots before queueing tasks in processes.
        for (const worker of this.#workers) this.#give(worker, worker.freeSlots(), work);
        for (const worker of this.#workers) this.#give(worker, worker.room(), work);
      }
    }
    const nothingLeft = work.left() + this.#again.length + this.#suspects.length === 0;
    if (nothingLeft && this.#all.every((worker) => worker.isIdle())) this.#settle?.resolve();
  }

  /** Gives each task to the worker of its run; together they have as many as run at a time. */
  #fillByRun(workers: Map<number, Worker>, work: Work): void {
    // A run whose process is there must not get ahead of the others.
    if (this.#workers.some(({ isStarting }) => isStarting)) return;
    const busy = this.#workers.reduce((sum, worker) => sum + worker.size, 0);
    const byRun = new Map<number, Task[]>();
    for (const task of this.#takeTasks(this.#settings.slots - busy, work)) {
      addTo(byRun, task.run ?? 0, task);
    }
    for (const [run, tasks] of byRun) {
      const worker = workers.get(run) ?? this.#addWorker(workers.size, work);
      workers.set(run, worker);
      worker.give(tasks);
    }
  }

  /** The first one is there, and has loaded the files. */
  #addWorker(at: number, work: Work): Worker {
    const known = this.#workers[at];
    if (known !== undefined) return known;
    const worker = new Worker(this.#settings);
    this.#workers.push(worker);
    this.#begin(worker, work, this.#again, 0);
    return worker;
  }

  /** Runs suspects first, each in a process of its own. False if there are none. */
  #fillQuarantine(work: Work): boolean {
    const wanted = Math.min(this.#suspects.length, this.#settings.slots, maxQuarantine);
    while (this.#quarantine.length < wanted) {
      const worker = new Worker({ ...this.#settings, slots: 1 });
      this.#quarantine.push(worker);
      this.#begin(worker, work, this.#suspects, 0);
    }
    for (const worker of this.#quarantine) {
      if (worker.room() > 0) worker.give(this.#suspects.splice(0, 1));
    }
    if (this.#quarantine.some((worker) => !worker.isIdle())) return true;
    for (const worker of this.#quarantine.splice(0)) worker.close();
    return false;
  }

  #give(worker: Worker, count: number, work: Work): void {
    if (count > 0) worker.give(this.#takeTasks(count, work));
  }

  #takeTasks(count: number, work: Work): Task[] {
    const again = this.#again.splice(0, Math.max(0, count));
    return again.length < count ? [...again, ...work.take(count - again.length)] : again;
  }
}

function without(files: readonly EvalFile[], failures: readonly ImportFailure[]): EvalFile[] {
  const failed = new Set(failures.map((failure) => failure.file));
  return files.filter((file) => !failed.has(file.name));
}
