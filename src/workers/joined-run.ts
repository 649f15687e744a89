import type { Worker as BullWorker, Job } from 'bullmq';
import { AssayError } from '../errors.js';
import type { Rate, Rates } from '../model/calls/call-rules.js';
import { CallLimiter } from '../model-calls/call-limiter.js';
import { CallPricer } from '../model-calls/prices.js';
import type { Descriptor, LogStream, Task } from '../protocol/messages.js';
import { hashedReads } from '../runner/changes/stored-code.js';
import { casesHash, loadedDifference } from './checkout-hashes.js';
import { FedWork } from './fed-work.js';
import { discard, pack, unpack } from './large-values.js';
import { machineOf } from './machine.js';
import type { JobProgress, JobReturn, LateCalls, ToCoordinators } from './messages.js';
import { parseJob } from './messages.js';
import { resolvesWithin } from './redis-problem.js';
import { queueName, type RedisServer } from './redis-server.js';
import { readRun, removeQueues } from './run-list.js';
import type { RunManifest } from './run-manifest.js';
import type { LoadingExecutor } from './worker-executor.js';

export interface JoinedRunOptions extends LoadingExecutor {
  readonly redis: RedisServer;
  readonly manifest: RunManifest;
  /** Name of this worker. */
  readonly name: string;
  /** What this machine has that evaluations may require. */
  readonly offers: readonly string[];
  /** Evaluations at a time. */
  readonly slots: number;
  /** Milliseconds after which the tasks of a worker that is silent are given to others. */
  readonly lockMs: number;
  /** The working directory. */
  readonly cwd: string;
  /** The environment of evaluations. */
  readonly env: NodeJS.ProcessEnv;
  readonly say: (message: ToCoordinators) => void;
  /** Tasks have started or ended. */
  readonly onChange: () => void;
  /** There are jobs of another execution of the run: this one is over. */
  readonly onOther: () => void;
  /** What is here turns out to be different. */
  readonly onRefused: (reason: string) => void;
  /** Nothing can be run here any more. */
  readonly onFailure: (reason: string) => void;
}

const printEveryMs = 100;
/** Milliseconds until the processes of a run end, which takes processor time: its coordinator may be on this machine, and is not done. */
const endAfterMs = 300;
/** Milliseconds to wait for a server that may be away; longer than ioredis takes to connect again once it is back. */
const awayMs = 3_000;

/** The part of a worker in one run: takes jobs from the queues of the run, and executes them in local processes. */
export class JoinedRun {
  readonly #options: JoinedRunOptions;
  readonly #queues: BullWorker[] = [];
  /** Output of running jobs that has not been sent. */
  readonly #printed = new Map<Job, JobProgress['printed'][number][]>();
  readonly #jobOf = new Map<number, Job>();
  readonly #late: LateCalls[] = [];
  #calls: CallLimiter | undefined;
  #descriptors: readonly Descriptor[] = [];
  #work: FedWork | undefined;
  #waited: { [model: string]: number } = {};
  #printTimer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #isPaused = false;
  #allSlots = 0;
  /** Results of jobs that the queue has not taken yet. */
  readonly #unsaved = new Map<string, JobReturn>();
  /** Jobs that are under way here. */
  #jobs = 0;
  #noteLeaving = () => {};
  /** Resolves when this takes no jobs any more. */
  readonly #leaving = new Promise<void>((resolve) => {
    this.#noteLeaving = resolve;
  });
  /** Finished tasks. */
  finished = 0;

  constructor(options: JoinedRunOptions) {
    this.#options = options;
  }

  /** Tasks that run now. */
  get running(): readonly Task[] {
    return this.#work?.running ?? [];
  }

  /** Numbers of the tasks of its jobs that have not begun. */
  get waiting(): readonly number[] {
    return this.#work?.waiting ?? [];
  }

  /**
   * Begins to take jobs when the files are imported.
   * @throws {AssayError} `discovery-failed` when a file cannot be imported here
   */
  async begin(allSlots: number): Promise<void> {
    const { manifest, executor, loading } = this.#options;
    for (const requires of manifest.requires) {
      if (requires.every((one) => this.#options.offers.includes(one))) this.#connect(requires);
    }
    const loaded = await loading;
    const [failure] = loaded.failures;
    if (failure !== undefined) {
      throw new AssayError(
        'discovery-failed',
        `${failure.file} cannot be imported: ${failure.message}`,
      );
    }
    this.#descriptors = loaded.descriptors;
    const difference =
      loaded.modules && loadedDifference(manifest.loaded, manifest.code, loaded.modules);
    if (difference !== undefined) throw new AssayError('discovery-failed', difference);
    if (casesHash(loaded.descriptors) !== manifest.cases) {
      const text = 'the eval files have other cases, or other options of cases, in its checkout';
      throw new AssayError('discovery-failed', text);
    }
    if (manifest.asks) this.#calls = await this.#makeLimiter(allSlots);
    const work = new FedWork({
      calls: this.#calls,
      onMore: () => executor.fill(),
      onPrinted: (task, stream, text) => this.#print(task, stream, text),
      onLate: (task, calls) => this.#addLate({ task, calls }),
    });
    this.#work = work;
    if (manifest.isPaused) await this.pause();
    executor.execute([manifest.run], work).catch((error: unknown) => {
      if (this.#isStopped) return;
      work.close(error);
      this.#options.onFailure(error instanceof Error ? error.message : String(error));
    });
    const { errors } = this.#options.redis;
    for (const queue of this.#queues) queue.run().catch((error) => errors.report(error));
  }

  /** How many jobs it may have at a time. */
  set concurrency(count: number) {
    for (const queue of this.#queues) queue.concurrency = count;
  }

  /** Follows what the manifest of the run says now; a message may have been missed. */
  async follow({ isPaused, slots }: RunManifest): Promise<void> {
    await this.share(slots);
    if (isPaused) await this.pause();
    else this.resume();
  }

  /** Shares the rates of the run over all slots that work on it. */
  async share(allSlots: number): Promise<void> {
    const { manifest, slots } = this.#options;
    if (this.#allSlots === allSlots) return;
    this.#allSlots = allSlots;
    const rates = shareOf(manifest.rates, slots, allSlots);
    if (rates !== undefined) await this.#calls?.setRates(rates);
  }

  async pause(): Promise<void> {
    if (this.#isPaused) return;
    this.#isPaused = true;
    await this.#options.executor.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#options.executor.resume();
  }

  /** Aborts what runs. Its jobs fail; the coordinator has removed them, or others take them. */
  async stop(reason: string): Promise<void> {
    this.#isStopped = true;
    await this.#options.executor.stop();
    this.#work?.close(new Error(reason));
    await this.#leaveQueues();
    setTimeout(() => this.#options.executor.close(), endAfterMs).unref();
  }

  /** Finishes the jobs that it has, and takes no others. Their results wait for a server that is away, unless stopped. */
  async close(): Promise<void> {
    await this.#leaveQueues();
    this.#options.executor.close();
  }

  async #leaveQueues(): Promise<void> {
    this.#noteLeaving();
    const closed = Promise.all(this.#queues.map((queue) => queue.close()));
    // BullMQ waits for ever for the end of a connection that is being made again.
    for (let wasIdle = false; !(await resolvesWithin(awayMs, closed)) && !this.#isStopped; ) {
      const isDelivered = this.#unsaved.size === 0 || this.#options.redis.client.status === 'ready';
      const isIdle = this.#jobs === 0 && isDelivered;
      if (wasIdle && isIdle) break;
      wasIdle = isIdle;
    }
    this.#isStopped = true;
    clearTimeout(this.#printTimer);
    if (this.#options.redis.client.status === 'ready') {
      await resolvesWithin(awayMs, this.#removeLeftKeys()).catch(() => undefined);
    }
  }

  /** BullMQ's worker makes keys of a queue again that it still looks at when the coordinator removes it. */
  async #removeLeftKeys(): Promise<void> {
    const { redis, manifest } = this.#options;
    const now = await readRun(redis, manifest.run.runId);
    if (now === undefined || now.isEnded) await removeQueues(redis, manifest);
  }

  /** Connects to a queue, which takes as long as importing a small eval file: both at once. */
  #connect(requires: readonly string[]): void {
    const { redis, manifest, name, slots, lockMs } = this.#options;
    const queue = new redis.bullmq.Worker(
      queueName(manifest.run.runId, requires),
      (job) => this.#process(job),
      {
        connection: redis.client,
        prefix: redis.prefix,
        name,
        concurrency: slots,
        lockDuration: lockMs,
        stalledInterval: lockMs / 2,
        maxStalledCount: Number.MAX_SAFE_INTEGER,
        autorun: false,
        drainDelay: 2,
        runRetryDelay: 1_000,
        skipVersionCheck: true,
      },
    );
    // It reconnects by itself.
    queue.on('error', (error) => redis.errors.report(error));
    queue.on('completed', ({ id = '' }) => {
      this.#unsaved.delete(id);
    });
    this.#queues.push(queue);
  }

  async #process(job: Job): Promise<object> {
    this.#jobs += 1;
    try {
      return await this.#answer(job);
    } finally {
      this.#jobs -= 1;
    }
  }

  async #answer(job: Job): Promise<object> {
    const { redis, manifest } = this.#options;
    const packed: unknown = job.data;
    const id = job.id ?? '';
    const done = this.#unsaved.get(id) ?? (await this.#execute(job, packed));
    // If the queue does not take it, the job comes again, but its work is done.
    this.#unsaved.set(id, done);
    const returned = await redis.errors.retryWhileFull(
      () => pack(redis, manifest.run.runId, done),
      () => this.#isStopped,
    );
    await discard(redis, manifest.run.runId, packed);
    return returned;
  }

  async #execute(job: Job, packed: unknown): Promise<JobReturn> {
    const { redis, manifest, cwd, env, onChange, onOther } = this.#options;
    const data = parseJob(await unpack(redis, manifest.run.runId, packed));
    const work = this.#work;
    if (data === undefined || work === undefined) {
      throw new Error('the task of this job is gone, or damaged');
    }
    if (data.execution !== manifest.execution) {
      // Its code may be newer than what was imported here.
      onOther();
      await this.#leaving;
      throw new Error('this job belongs to another execution of the run');
    }
    const { task } = data;
    this.#jobOf.set(task.task, job);
    onChange();
    try {
      const result = await work.add(task);
      if (result.outcome.hasOtherValues) this.#refuseValues(task);
      this.finished += 1;
      await this.#sendPrinted();
      const { runId } = manifest.run;
      const reads = work.reads.map((one) => hashedReads(one, runId, env));
      const late = this.#late.splice(0);
      return { result, cwd, reads, machine: machineOf(env), late, waited: this.#takeWaited() };
    } finally {
      this.#jobOf.delete(task.task);
      this.#printed.delete(job);
      onChange();
    }
  }

  /** The case is another one here: nobody knows what else of its files is. */
  #refuseValues({ id }: Task): never {
    const reason = `the input, reference or metadata of ${id} differ in its checkout`;
    this.#options.onRefused(reason);
    throw new Error(reason);
  }

  async #makeLimiter(allSlots: number): Promise<CallLimiter> {
    const limits = new Map(this.#descriptors.map(({ id, limits }) => [id, limits]));
    const calls = new CallLimiter({
      limitsOf: (id) => limits.get(id),
      maxCost: undefined,
      spentBefore: 0,
      needsPrices: [...limits.values()].some((limit) => limit?.cost !== undefined),
      pricer: new CallPricer(this.#options.manifest.calls.prices),
      rates: shareOf(this.#options.manifest.rates, this.#options.slots, allSlots),
    });
    await calls.prepare();
    return calls;
  }

  #takeWaited(): JobReturn['waited'] {
    const before = this.#waited;
    this.#waited = Object.fromEntries(this.#calls?.waited ?? []);
    const added = Object.entries(this.#waited).map(
      ([model, seconds]) => [model, seconds - (before[model] ?? 0)] as const,
    );
    return Object.fromEntries(added.filter(([, seconds]) => seconds > 0));
  }

  #addLate(late: LateCalls): void {
    // With a job of the same worker it is kept by the queue; a message may be lost.
    if (this.#jobOf.size > 0) this.#late.push(late);
    else this.#options.say({ type: 'late', run: this.#options.manifest.run.runId, ...late });
  }

  #print(task: number, stream: LogStream, text: string): void {
    const job = this.#jobOf.get(task);
    if (job === undefined) return;
    const lines = this.#printed.get(job) ?? [];
    lines.push({ task, stream, text });
    this.#printed.set(job, lines);
    this.#printTimer ??= setTimeout(() => {
      this.#printTimer = undefined;
      void this.#sendPrinted();
    }, printEveryMs);
  }

  async #sendPrinted(): Promise<void> {
    const all = [...this.#printed];
    this.#printed.clear();
    await Promise.all(
      all.map(([job, printed]) => job.updateProgress({ printed }).catch(() => undefined)),
    );
  }
}

/** The part of the rates that falls to some of all slots. */
function shareOf(rates: Rates | undefined, slots: number, allSlots: number): Rates | undefined {
  if (rates === undefined) return undefined;
  const share = Math.min(1, slots / Math.max(allSlots, 1));
  const part = (amount: number | undefined) =>
    amount === undefined ? undefined : Math.max(1, Math.floor(amount * share));
  const shared = Object.entries(rates).map(
    ([model, { requests, tokens, at_once }]): [string, Rate] => [
      model,
      { requests: part(requests), tokens: part(tokens), at_once: part(at_once) },
    ],
  );
  return Object.fromEntries(shared);
}
