import { relative, sep } from 'node:path';
import type { Job, Queue, QueueEvents } from 'bullmq';
import { readVersion } from '../../../package-root.js';
import type {
  DescribedValues,
  Descriptor,
  EvalFile,
  RunContext,
  Task,
} from '../../../protocol/messages.js';
import type { FinishedResult } from '../../events.js';
import type { Executor, LoadedFiles, LoadOptions, Work } from '../../executor.js';
import type { ExecutorOptions } from '../../runner-dependencies.js';
import { LocalExecutor } from '../local/local-executor.js';
import { BatchSize } from './batch-size.js';
import { casesHash, codeVersion } from './code-version.js';
import { discard, pack, unpack } from './large-values.js';
import type { RedisServer } from './redis-server.js';
import {
  type JobData,
  type JobProgress,
  type JobReturn,
  namesOf,
  parseMessage,
  queueName,
  type RunManifest,
  wireVersion,
} from './run-manifest.js';
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

/** Milliseconds between looks at the state of the queues, for events that were missed. */
const lookEveryMs = 5_000;
/** Jobs that are in the queue before any worker has come. */
const firstJobs = 16;
/** Events that Redis keeps of a queue. */
const keptEvents = 1_000;
/** Milliseconds that an answer stays in Redis after it was reported, while the log reaches the disk. */
const keptMs = 1_000;

/** Executes evaluations on the workers of a Redis server: finds and describes them here, and puts their tasks into queues. */
export class RedisExecutor implements Executor {
  readonly #options: RedisExecutorOptions;
  readonly #redis: RedisServer;
  readonly #names: ReturnType<typeof namesOf>;
  readonly #local: LocalExecutor;
  #files: readonly EvalFile[] = [];
  #modules: readonly string[] = [];
  #descriptors = new Map<string, Descriptor>();
  #manifest: RunManifest | undefined;
  readonly #queues = new Map<string, Queue>();
  readonly #events: QueueEvents[] = [];
  readonly #open = new Map<string, OpenJob>();
  #workers: WorkersOfRun | undefined;
  readonly #size = new BatchSize();
  /** Jobs of an execution that was killed, by task. */
  readonly #adopted = new Map<number, string>();
  /** Results of those jobs whose task has not been taken. */
  readonly #early = new Map<number, FinishedResult>();
  /** Adopted tasks that were taken. */
  readonly #taken = new Set<number>();
  readonly #answered: { job: string; queue: Queue; packed: object }[] = [];
  #work: Work | undefined;
  #settle: { resolve: () => void; reject: (error: unknown) => void } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isFilling = false;
  #isPaused = false;
  #isStopped = false;
  #isLost = false;
  #isFull = false;
  #jobs = 0;

  constructor(options: RedisExecutorOptions) {
    this.#options = options;
    this.#redis = options.redis;
    this.#names = namesOf(options.redis);
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
    this.#work = work;
    this.#local.close();
    const done = new Promise<void>((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    done.catch(() => undefined);
    const { client } = this.#redis;
    const manifest = await this.#makeManifest(run, work);
    const workers = this.#makeWorkers(manifest);
    this.#manifest = manifest;
    this.#workers = workers;
    try {
      for (const requires of manifest.requires) await this.#openQueue(run.runId, requires);
      await this.#adopt(manifest);
      client.on('close', () => this.#noteConnection(false));
      client.on('ready', () => this.#noteConnection(true));
      await this.#publishManifest();
      await workers.open();
      this.#timer = setInterval(() => void this.#look().catch(() => undefined), lookEveryMs);
      setTimeout(() => this.#noteWorkers(), 2_000).unref();
      await this.#look();
      this.#fill();
      await done;
      await this.#end(workers);
    } finally {
      this.#disconnect();
    }
  }

  async pause(): Promise<void> {
    this.#isPaused = true;
    await this.#publishManifest();
    await this.#workers?.command('pause');
  }

  resume(): void {
    this.#isPaused = false;
    void this.#publishManifest().then(() => this.#workers?.command('resume'));
    this.#fill();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#local.close();
    if (this.#manifest === undefined) {
      this.#settle?.resolve();
      return;
    }
    await this.#redis.client.hdel(this.#names.runs, this.#manifest.run.runId);
    await this.#workers?.command('stop');
    this.#settle?.resolve();
  }

  close(): void {
    this.#local.close();
    clearInterval(this.#timer);
  }

  #makeWorkers({ run, rates }: RunManifest): WorkersOfRun {
    return new WorkersOfRun({
      redis: this.#redis,
      run: run.runId,
      hasRates: rates !== undefined,
      onWarning: this.#options.onWarning,
      onJoined: () => this.#fill(),
      onLate: ({ task, calls }) => this.#work?.onCalled(task, calls),
    });
  }

  async #makeManifest(run: RunContext, work: Work): Promise<RunManifest> {
    const {
      cwd,
      isolate = false,
      streamLogs,
      capture = 'full',
      captureMib,
      recordings,
      rates,
      prices,
    } = this.#options;
    const toRelative = (path: string) => relative(cwd, path).split(sep).join('/');
    const requires = new Map([[queueName(run.runId, []), [] as readonly string[]]]);
    for (const one of this.#descriptors.values()) {
      if (one.requires !== undefined)
        requires.set(queueName(run.runId, one.requires), one.requires);
    }
    const names = new Set([...this.#files.map(({ name }) => name), ...this.#modules]);
    return {
      wire: wireVersion,
      assay: readVersion(),
      run,
      files: this.#files.map(({ name }) => name),
      code: await codeVersion(cwd, [...names].sort()),
      cases: casesHash(this.#descriptors.keys()),
      isolate,
      streamLogs,
      capture,
      captureMib,
      recordings: recordings && { ...recordings, folder: toRelative(recordings.folder) },
      rates,
      prices,
      asks: work.calls !== undefined,
      requires: [...requires.values()],
      isPaused: this.#isPaused,
    };
  }

  async #publishManifest(): Promise<void> {
    if (this.#manifest === undefined || this.#isStopped) return;
    const text = JSON.stringify({ ...this.#manifest, isPaused: this.#isPaused });
    await this.#redis.client.hset(this.#names.runs, this.#manifest.run.runId, text);
  }

  async #openQueue(run: string, requires: readonly string[]): Promise<void> {
    const { bullmq, connection, prefix } = this.#redis;
    const name = queueName(run, requires);
    const shared = { connection, prefix, skipVersionCheck: true };
    const queue = new bullmq.Queue(name, {
      ...shared,
      streams: { events: { maxLen: keptEvents } },
    });
    queue.on('error', () => undefined);
    await queue.waitUntilReady();
    this.#queues.set(name, queue);
    const events = new bullmq.QueueEvents(name, shared);
    events.on('error', () => undefined);
    events.on('active', ({ jobId }) => this.#onActive(jobId));
    events.on('stalled', ({ jobId }) => this.#onReturned(jobId));
    events.on('failed', ({ jobId }) => void this.#retry(jobId));
    events.on('progress', ({ data }) => this.#onProgress(data as unknown as JobProgress));
    events.on(
      'completed',
      ({ jobId, returnvalue }) =>
        void this.#onCompleted(jobId, returnvalue as unknown as object).catch((error: unknown) =>
          this.#settle?.reject(error),
        ),
    );
    await events.waitUntilReady();
    this.#events.push(events);
  }

  /** Takes over the jobs of an earlier execution of the run that was not ended, if the code is the same. */
  async #adopt(today: RunManifest): Promise<void> {
    const { runId } = today.run;
    const text = await this.#redis.client.hget(this.#names.runs, runId);
    const before = parseMessage<RunManifest>(text ?? '');
    const isSame = before !== undefined && whatRuns(before) === whatRuns(today);
    for (const queue of this.#queues.values()) {
      if (!isSame || this.#options.resumes !== true) await queue.obliterate({ force: true });
      for await (const job of allJobs(queue, [
        'waiting',
        'active',
        'delayed',
        'completed',
        'failed',
      ])) {
        const data = await unpack<JobData>(this.#redis, job.data as object);
        if (data === undefined || job.id === undefined) continue;
        if (data.tasks.some(({ stored }) => stored !== undefined)) continue;
        this.#open.set(job.id, { tasks: data.tasks, queue, isStarted: false, isAnswered: false });
        for (const { task } of data.tasks) this.#adopted.set(task, job.id);
      }
    }
  }

  #fill(): void {
    const work = this.#work;
    if (work === undefined || this.#isStopped || this.#isPaused || this.#isFilling) return;
    this.#isFilling = true;
    this.#addJobs(work)
      .catch((error: unknown) => this.#settle?.reject(error))
      .finally(() => {
        this.#isFilling = false;
        this.#endIfDone(work);
      });
  }

  async #addJobs(work: Work): Promise<void> {
    while (work.left() > 0 && !this.#isStopped && !this.#isPaused) {
      const slots = this.#workers?.slots ?? 0;
      const room =
        (slots === 0 ? firstJobs : work.ahead === 0 ? slots : 2 * slots + 2) - this.#open.size;
      if (room <= 0) return;
      const jobs = new Map<Queue, { id: string; tasks: readonly Task[] }[]>();
      for (let at = 0; at < room && work.left() > 0; at += 1) {
        const count = work.ahead === 0 ? 1 : this.#size.next(work.left(), slots);
        const fresh = work.take(count).filter(({ task }) => !this.#takeAdopted(task, work));
        for (const [queue, tasks] of this.#byQueue(fresh)) {
          this.#jobs += 1;
          const id = `${crypto.randomUUID().slice(0, 8)}-${this.#jobs}`;
          const list = jobs.get(queue) ?? [];
          list.push({ id, tasks });
          jobs.set(queue, list);
          this.#open.set(id, { tasks, queue, isStarted: false, isAnswered: false });
        }
      }
      for (const [queue, list] of jobs) await this.#add(queue, list);
    }
  }

  /** True for a task that an earlier execution has handed out. */
  #takeAdopted(task: number, work: Work): boolean {
    const early = this.#early.get(task);
    if (early !== undefined) {
      this.#early.delete(task);
      work.onFinished([early]);
      return true;
    }
    const job = this.#adopted.get(task);
    if (job === undefined || !this.#open.has(job)) return false;
    this.#taken.add(task);
    return true;
  }

  #byQueue(tasks: readonly Task[]): Map<Queue, Task[]> {
    const found = new Map<Queue, Task[]>();
    const run = this.#manifest?.run.runId ?? '';
    for (const task of tasks) {
      const name = queueName(run, this.#descriptors.get(task.id)?.requires ?? []);
      const queue = this.#queues.get(name);
      if (queue === undefined) throw new Error(`the run has no queue ${name}`);
      const list = found.get(queue) ?? [];
      list.push(task);
      found.set(queue, list);
    }
    return found;
  }

  async #add(queue: Queue, jobs: readonly { id: string; tasks: readonly Task[] }[]): Promise<void> {
    const run = this.#manifest?.run.runId ?? '';
    const packed = await this.#whenRoom(() =>
      Promise.all(jobs.map(({ tasks }) => pack(this.#redis, run, { tasks } satisfies JobData))),
    );
    const added = jobs.map(({ id, tasks }, at) => ({
      name: tasks[0]?.id ?? '',
      data: packed[at],
      opts: { jobId: id, attempts: 1_000, removeOnComplete: { age: 7 * 24 * 3600 } },
    }));
    await this.#whenRoom(() => queue.addBulk(added));
  }

  /** Tries again while Redis has no memory left. */
  async #whenRoom<T>(write: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const value = await write();
        this.#isFull = false;
        return value;
      } catch (error) {
        if (!String(error).includes('OOM') || this.#isStopped) throw error;
        if (!this.#isFull) {
          this.#options.onWarning(
            `Redis is full (maxmemory). The run waits until there is room; nothing is lost.`,
          );
        }
        this.#isFull = true;
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      }
    }
  }

  #onActive(id: string): void {
    const job = this.#open.get(id);
    if (job === undefined || job.isStarted) return;
    job.isStarted = true;
    this.#work?.onStarted(job.tasks);
  }

  #onReturned(id: string): void {
    const job = this.#open.get(id);
    if (job === undefined) return;
    if (job.isStarted) this.#work?.onReturned(job.tasks);
    job.isStarted = false;
  }

  #onProgress({ printed = [] }: JobProgress): void {
    const tasks = new Map(
      [...this.#open.values()].flatMap((job) => job.tasks.map((task) => [task.task, task])),
    );
    for (const { task, stream, text } of printed) {
      const of = tasks.get(task);
      if (of !== undefined) this.#work?.onPrinted(of, stream, text);
    }
  }

  async #onCompleted(id: string, packed: object): Promise<void> {
    const job = this.#open.get(id);
    // The event and a look at the queue may both find it.
    if (job === undefined || job.isAnswered) return;
    job.isAnswered = true;
    const done = await unpack<JobReturn>(this.#redis, packed);
    if (this.#isStopped) return;
    if (done === undefined) {
      // Its answer is gone: it runs again.
      job.isAnswered = false;
      await this.#again(id, job);
      return;
    }
    this.#size.add(done.results.length, done.busyMs);
    for (const [model, seconds] of Object.entries(done.waited)) {
      this.#work?.calls?.addWaited(model, seconds);
    }
    this.#work?.onFinished(this.#takenOf(id, done.results));
    for (const { task, calls } of done.late) this.#work?.onCalled(task, calls);
    this.#open.delete(id);
    this.#answered.push({ job: id, queue: job.queue, packed });
    if (this.#answered.length === 1) setTimeout(() => void this.#removeAnswered(), keptMs);
    if (this.#work?.calls?.hasStopped === true) await this.#dropWaiting();
    this.#fill();
  }

  /** The results that the work waits for: of a job that was adopted, some may have been in the log before. */
  #takenOf(id: string, results: readonly FinishedResult[]): readonly FinishedResult[] {
    return results.filter((result) => {
      if (this.#adopted.get(result.index) !== id || this.#taken.has(result.index)) return true;
      this.#early.set(result.index, result);
      return false;
    });
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

  /** A worker has failed with this job: another takes it. */
  async #retry(id: string): Promise<void> {
    const job = this.#open.get(id);
    if (job === undefined) return;
    this.#onReturned(id);
    await this.#again(id, job);
  }

  async #again(id: string, { queue, tasks }: OpenJob): Promise<void> {
    await queue.remove(id).catch(() => 0);
    await this.#add(queue, [{ id, tasks }]);
  }

  /** Finds answers whose event was missed, and puts back what Redis has lost. */
  async #look(): Promise<void> {
    if (this.#isStopped || this.#isFilling) return;
    await this.#publishManifest();
    await this.#countWorkers();
    for (const queue of this.#queues.values()) {
      for (const id of await queue.getRanges(['completed'])) {
        if (this.#open.get(id)?.isAnswered !== false) continue;
        const job = (await queue.getJob(id)) as Job | undefined;
        if (job !== undefined) await this.#onCompleted(id, job.returnvalue as object);
      }
      for (const id of await queue.getRanges(['failed'])) await this.#retry(id);
      await this.#putBackLost(queue);
    }
    this.#fill();
  }

  /** A server without persistence loses its queues when it restarts. */
  async #putBackLost(queue: Queue): Promise<void> {
    const jobs = [...this.#open].filter(([, job]) => job.queue === queue);
    const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'completed', 'failed');
    const present = Object.values(counts).reduce((sum, count) => sum + count, 0);
    if (present >= jobs.length) return;
    for (const [id, job] of jobs) {
      if (!this.#open.has(id) || (await queue.getJobState(id)) !== 'unknown') continue;
      this.#onReturned(id);
      await this.#add(queue, [{ id, tasks: job.tasks }]);
    }
  }

  async #countWorkers(): Promise<void> {
    const [queue] = this.#queues.values();
    const present = (await queue?.getWorkers())?.map(({ rawname }) => rawname?.split(':w:').at(-1));
    await this.#workers?.keepOnly(new Set(present));
  }

  #noteWorkers(): void {
    if (!this.#isStopped && this.#open.size > 0) this.#workers?.warnIfNone();
  }

  #noteConnection(isConnected: boolean): void {
    if (this.#isStopped || this.#isLost !== isConnected) return;
    this.#isLost = !isConnected;
    this.#options.onWarning(
      isConnected
        ? `Redis is back.`
        : `The connection to Redis is lost. assay keeps trying; workers go on with what they have.`,
    );
    if (isConnected) void this.#look().catch(() => undefined);
  }

  #endIfDone(work: Work): void {
    if (work.left() > 0) return;
    for (const [id, { tasks }] of this.#open) {
      const isAdopted = tasks.every(({ task }) => this.#adopted.get(task) === id);
      if (isAdopted && !tasks.some(({ task }) => this.#taken.has(task))) this.#open.delete(id);
    }
    if (work.left() === 0 && this.#open.size === 0) this.#settle?.resolve();
  }

  /** Removes everything of the run from Redis. */
  async #end(workers: WorkersOfRun): Promise<void> {
    this.#isStopped = true;
    const run = this.#manifest?.run.runId ?? '';
    await this.#redis.client.hdel(this.#names.runs, run);
    await workers.dismiss();
    await this.#removeAnswered();
    for (const queue of this.#queues.values()) await queue.obliterate({ force: true });
  }

  /** Lets go of Redis, also when it does not answer any more. */
  #disconnect(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#workers?.close();
    for (const one of [...this.#events, ...this.#queues.values()])
      one.close().catch(() => undefined);
  }
}

/** What the results of two executions of a run depend on. */
function whatRuns({ code, cases, assay, run }: RunManifest): string {
  return JSON.stringify([code, cases, assay, run.params]);
}

async function* allJobs(
  queue: Queue,
  states: Parameters<Queue['getJobs']>[0],
): AsyncGenerator<Job> {
  const page = 500;
  for (let at = 0; ; at += page) {
    const jobs = (await queue.getJobs(states, at, at + page - 1, true)) as Job[];
    yield* jobs.filter((job) => job !== undefined);
    if (jobs.length === 0) return;
  }
}
