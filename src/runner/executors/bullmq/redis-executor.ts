import type { Queue } from 'bullmq';
import type {
  DescribedValues,
  Descriptor,
  EvalFile,
  RunContext,
  Task,
} from '../../../protocol/messages.js';
import type { Executor, LoadedFiles, LoadOptions, Work } from '../../executor.js';
import type { ExecutorOptions } from '../../runner-dependencies.js';
import { LocalExecutor } from '../local/local-executor.js';
import { BatchSize } from './batch-size.js';
import { EarlierJobs } from './earlier-jobs.js';
import { discard, unpack } from './large-values.js';
import { makeManifest, whatRuns } from './make-manifest.js';
import { findMissedJobs } from './missed-jobs.js';
import type { RedisServer } from './redis-server.js';
import {
  type JobData,
  type JobProgress,
  type JobReturn,
  namesOf,
  parseMessage,
  type RunManifest,
} from './run-manifest.js';
import { type NewJob, RunQueues } from './run-queues.js';
import { within } from './within.js';
import { WorkersOfRun } from './workers-of-run.js';

export interface RedisExecutorOptions extends ExecutorOptions {
  readonly redis: RedisServer;
}

/** A job that has not been answered. */
interface OpenJob {
  readonly tasks: readonly Task[];
  readonly queue: Queue;
  isStarted: boolean;
  isAnswered: boolean;
}

/** An execution that has begun. */
interface Begun {
  readonly manifest: RunManifest;
  readonly work: Work;
  readonly queues: RunQueues;
  readonly workers: WorkersOfRun;
}

/** Milliseconds between looks at the state of the queues, for events that were missed. */
const lookEveryMs = 5_000;
/** Jobs that are in the queue before any worker has come. */
const firstJobs = 16;
/** Milliseconds that an answer stays in Redis after it was reported, while the log reaches the disk. */
const keptMs = 1_000;
/** Milliseconds that a stop or the end of a run waits for a server that is away. */
const awayMs = 5_000;

/** Executes evaluations on the workers of a Redis server: finds and describes them here, and puts their tasks into queues. */
export class RedisExecutor implements Executor {
  readonly #options: RedisExecutorOptions;
  readonly #redis: RedisServer;
  readonly #local: LocalExecutor;
  #files: readonly EvalFile[] = [];
  #modules: readonly string[] = [];
  #descriptors = new Map<string, Descriptor>();
  readonly #open = new Map<string, OpenJob>();
  readonly #earlier = new EarlierJobs();
  readonly #size = new BatchSize();
  readonly #answered: { job: string; queue: Queue; packed: object }[] = [];
  readonly #onClose = () => this.#noteConnection(false);
  readonly #onReady = () => this.#noteConnection(true);
  #begun: Begun | undefined;
  #settle: { resolve: () => void; reject: (error: unknown) => void } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isFilling = false;
  #isPaused = false;
  #isStopped = false;
  #isLost = false;
  #jobs = 0;

  constructor(options: RedisExecutorOptions) {
    this.#options = options;
    this.#redis = options.redis;
    this.#local = new LocalExecutor({ ...options, concurrency: 1, workers: 1, listsModules: true });
  }

  async load(files: readonly EvalFile[], options?: LoadOptions): Promise<LoadedFiles> {
    const loaded = await this.#local.load(files, options);
    const failed = new Set(loaded.failures.map(({ file }) => file));
    this.#files = files.filter(({ name }) => !failed.has(name));
    this.#modules = loaded.modules ?? [];
    this.#descriptors = new Map(loaded.descriptors.map((one) => [one.id, one]));
    return loaded;
  }

  describe(
    ids: readonly string[],
    onValues: (values: readonly DescribedValues[]) => void,
  ): Promise<void> {
    return this.#local.describe(ids, onValues);
  }

  async execute(run: RunContext, work: Work): Promise<void> {
    this.#local.close();
    const done = new Promise<void>((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    done.catch(() => undefined);
    const { client } = this.#redis;
    const manifest = await makeManifest(this.#options, {
      run,
      files: this.#files,
      modules: this.#modules,
      descriptors: this.#descriptors,
      asks: work.calls !== undefined,
    });
    const begun: Begun = {
      manifest,
      work,
      queues: this.#makeQueues(run),
      workers: this.#makeWorkers(manifest, work),
    };
    this.#begun = begun;
    try {
      for (const requires of manifest.requires) await begun.queues.open(requires);
      await this.#adopt(begun);
      client.on('close', this.#onClose);
      client.on('ready', this.#onReady);
      await this.#publish();
      await begun.workers.open();
      this.#timer = setInterval(() => void this.#look().catch(() => undefined), lookEveryMs);
      setTimeout(() => this.#noteWorkers(begun), 2_000).unref();
      await this.#look();
      this.#fill();
      await done;
      this.#isStopped = true;
      if (!(await within(awayMs, this.#end(begun)))) {
        this.#options.onWarning('Redis does not answer, so the queue of the run stays in it.');
      }
    } finally {
      this.#disconnect(begun);
    }
  }

  async pause(): Promise<void> {
    this.#isPaused = true;
    await within(awayMs, this.#publish());
    await this.#begun?.workers.command('pause');
  }

  resume(): void {
    this.#isPaused = false;
    void this.#publish().then(() => this.#begun?.workers.command('resume'));
    this.#fill();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#local.close();
    if (this.#begun !== undefined) {
      const { manifest, workers } = this.#begun;
      const { client } = this.#redis;
      await within(awayMs, client.hdel(namesOf(this.#redis).runs, manifest.run.runId));
      await workers.command('stop');
    }
    this.#settle?.resolve();
  }

  close(): void {
    this.#local.close();
    clearInterval(this.#timer);
  }

  #makeWorkers({ run, rates }: RunManifest, work: Work): WorkersOfRun {
    return new WorkersOfRun({
      redis: this.#redis,
      run: run.runId,
      hasRates: rates !== undefined,
      onWarning: this.#options.onWarning,
      onSlots: () => {
        void this.#publish();
        this.#fill();
      },
      onLate: ({ task, calls }) => work.onCalled(task, calls),
    });
  }

  #makeQueues(run: RunContext): RunQueues {
    return new RunQueues({
      redis: this.#redis,
      run: run.runId,
      onWarning: this.#options.onWarning,
      onActive: (job) => this.#onActive(job),
      onReturned: (job) => this.#onReturned(job),
      onFailed: (job) => this.#guard(this.#retry(job)),
      onProgress: (progress) => this.#onProgress(progress),
      onCompleted: (job, packed) => this.#guard(this.#onCompleted(job, packed)),
    });
  }

  /** An error in the background ends the run. */
  #guard(action: Promise<void>): void {
    action.catch((error: unknown) => this.#settle?.reject(error));
  }

  /** Tells workers of the run, and in which state it is. */
  async #publish(): Promise<void> {
    if (this.#begun === undefined || this.#isStopped) return;
    const { manifest, workers } = this.#begun;
    const now: RunManifest = { ...manifest, isPaused: this.#isPaused, slots: workers.slots };
    const { client } = this.#redis;
    await client.hset(namesOf(this.#redis).runs, manifest.run.runId, JSON.stringify(now));
  }

  /** Takes over the jobs of an earlier execution of the run that was not ended, if the code is the same. */
  async #adopt({ manifest, queues }: Begun): Promise<void> {
    const text = await this.#redis.client.hget(namesOf(this.#redis).runs, manifest.run.runId);
    const before = parseMessage<RunManifest>(text ?? '');
    const isSame = before !== undefined && whatRuns(before) === whatRuns(manifest);
    if (!isSame || this.#options.resumes !== true) {
      await queues.obliterate();
      return;
    }
    for (const queue of queues.all) {
      for await (const job of queues.jobs(queue)) {
        const data = await unpack<JobData>(this.#redis, job.data as object);
        if (data === undefined || job.id === undefined) continue;
        if (data.tasks.some(({ stored }) => stored !== undefined)) continue;
        this.#open.set(job.id, { tasks: data.tasks, queue, isStarted: false, isAnswered: false });
        this.#earlier.add(job.id, data.tasks);
      }
    }
  }

  #fill(): void {
    const begun = this.#begun;
    if (begun === undefined || this.#isStopped || this.#isPaused || this.#isFilling) return;
    this.#isFilling = true;
    this.#addJobs(begun)
      .catch((error: unknown) => this.#settle?.reject(error))
      .finally(() => {
        this.#isFilling = false;
        this.#endIfDone(begun);
      });
  }

  async #addJobs({ work, queues, workers }: Begun): Promise<void> {
    while (work.left() > 0 && !this.#isStopped && !this.#isPaused) {
      const { slots } = workers;
      const wanted = slots === 0 ? firstJobs : work.ahead === 0 ? slots : 2 * slots + 2;
      const room = wanted - this.#open.size;
      if (room <= 0) return;
      const jobs = new Map<Queue, NewJob[]>();
      for (let at = 0; at < room && work.left() > 0; at += 1) {
        const count = work.ahead === 0 ? 1 : this.#size.next(work.left(), slots);
        const fresh = work.take(count).filter(({ task }) => !this.#isEarlier(task, work));
        for (const [queue, tasks] of this.#byQueue(fresh, queues)) {
          this.#jobs += 1;
          const id = `${crypto.randomUUID().slice(0, 8)}-${this.#jobs}`;
          const list = jobs.get(queue) ?? [];
          list.push({ id, tasks });
          jobs.set(queue, list);
          this.#open.set(id, { tasks, queue, isStarted: false, isAnswered: false });
        }
      }
      for (const [queue, list] of jobs) await queues.add(queue, list);
    }
  }

  /** True for a task that an earlier execution has handed out. */
  #isEarlier(task: number, work: Work): boolean {
    const result = this.#earlier.takeResult(task);
    if (result !== undefined) {
      work.onFinished([result]);
      return true;
    }
    const job = this.#earlier.jobOf(task);
    if (job === undefined || !this.#open.has(job)) return false;
    this.#earlier.await(task);
    return true;
  }

  #byQueue(tasks: readonly Task[], queues: RunQueues): Map<Queue, Task[]> {
    const found = new Map<Queue, Task[]>();
    for (const task of tasks) {
      const queue = queues.of(this.#descriptors.get(task.id)?.requires);
      const list = found.get(queue) ?? [];
      list.push(task);
      found.set(queue, list);
    }
    return found;
  }

  #onActive(id: string): void {
    const job = this.#open.get(id);
    if (job === undefined || job.isStarted) return;
    job.isStarted = true;
    this.#begun?.work.onStarted(job.tasks);
  }

  #onReturned(id: string): void {
    const job = this.#open.get(id);
    if (job === undefined) return;
    if (job.isStarted) this.#begun?.work.onReturned(job.tasks);
    job.isStarted = false;
  }

  #onProgress({ printed = [] }: JobProgress): void {
    const tasks = new Map(
      [...this.#open.values()].flatMap((job) => job.tasks.map((task) => [task.task, task])),
    );
    for (const { task, stream, text } of printed) {
      const of = tasks.get(task);
      if (of !== undefined) this.#begun?.work.onPrinted(of, stream, text);
    }
  }

  async #onCompleted(id: string, packed: object): Promise<void> {
    const job = this.#open.get(id);
    const work = this.#begun?.work;
    // The event and a look at the queue may both find it.
    if (job === undefined || job.isAnswered || work === undefined) return;
    job.isAnswered = true;
    const done = await unpack<JobReturn>(this.#redis, packed);
    if (this.#isStopped) return;
    if (done === undefined) {
      // Its answer is gone: it runs again.
      job.isAnswered = false;
      await this.#retry(id);
      return;
    }
    this.#size.add(done.results.length, done.busyMs);
    for (const [model, seconds] of Object.entries(done.waited)) {
      work.calls?.addWaited(model, seconds);
    }
    work.onFinished(this.#earlier.wanted(id, done.results));
    for (const { task, calls } of done.late) work.onCalled(task, calls);
    this.#open.delete(id);
    this.#answered.push({ job: id, queue: job.queue, packed });
    if (this.#answered.length === 1) setTimeout(() => void this.#removeAnswered(), keptMs);
    if (work.calls?.hasStopped === true) await this.#dropWaiting();
    this.#fill();
  }

  /** Removes answers that the log has. */
  async #removeAnswered(): Promise<void> {
    const answered = this.#answered.splice(0);
    await Promise.all(
      answered.map(async ({ job, queue, packed }) => {
        await queue.remove(job).catch(() => undefined);
        await discard(this.#redis, packed).catch(() => undefined);
      }),
    );
  }

  /** The budget is spent: what no worker has begun is not run. */
  async #dropWaiting(): Promise<void> {
    for (const [id, job] of [...this.#open]) {
      if (job.isStarted) continue;
      const isRemoved = await job.queue.remove(id).catch(() => 0);
      if (isRemoved > 0) this.#open.delete(id);
    }
  }

  /** A job has no answer and nobody runs it: a worker takes it again. */
  async #retry(id: string): Promise<void> {
    const job = this.#open.get(id);
    if (job === undefined || job.isAnswered) return;
    this.#onReturned(id);
    await this.#begun?.queues.again(job.queue, { id, tasks: job.tasks });
  }

  /** Finds answers whose event was missed, and puts back what Redis has lost. */
  async #look(): Promise<void> {
    const begun = this.#begun;
    if (begun === undefined || this.#isStopped || this.#isFilling) return;
    await this.#publish();
    await begun.workers.look();
    const { queues } = begun;
    for (const queue of queues.all) {
      const isOpen = (id: string) => this.#open.get(id)?.isAnswered === false;
      const open = () => [...this.#open].filter(([, job]) => job.queue === queue).map(([id]) => id);
      const { completed, failed, lost } = await findMissedJobs(queues, queue, isOpen, open);
      for (const { id, packed } of completed) await this.#onCompleted(id, packed);
      for (const id of [...failed, ...lost]) await this.#retry(id);
    }
    this.#fill();
  }

  #noteWorkers({ workers }: Begun): void {
    if (!this.#isStopped && this.#open.size > 0) workers.warnIfNone();
  }

  #noteConnection(isConnected: boolean): void {
    if (this.#isStopped || this.#isLost !== isConnected) return;
    this.#isLost = !isConnected;
    this.#options.onWarning(
      isConnected
        ? `Redis is back.`
        : `The connection to Redis is lost. assay keeps trying; workers go on with what they have.`,
    );
    if (!isConnected) return;
    // What workers said meanwhile was not heard.
    this.#begun?.workers.call();
    void this.#look().catch(() => undefined);
  }

  #endIfDone({ work }: Begun): void {
    if (work.left() > 0) return;
    for (const [id, { tasks }] of this.#open) {
      if (this.#earlier.isIdle(id, tasks)) this.#open.delete(id);
    }
    if (work.left() === 0 && this.#open.size === 0) this.#settle?.resolve();
  }

  /** Removes everything of the run from Redis. */
  async #end({ manifest, workers, queues }: Begun): Promise<void> {
    await this.#redis.client.hdel(namesOf(this.#redis).runs, manifest.run.runId);
    await workers.dismiss();
    await this.#removeAnswered();
    await queues.obliterate();
  }

  #disconnect({ workers, queues }: Begun): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#redis.client.off('close', this.#onClose);
    this.#redis.client.off('ready', this.#onReady);
    workers.close();
    queues.close();
  }
}
