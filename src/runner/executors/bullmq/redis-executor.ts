import type {
  DescribedValues,
  Descriptor,
  EvalFile,
  RunContext,
} from '../../../protocol/messages.js';
import type { Executor, LoadedFiles, LoadOptions, Work } from '../../executor.js';
import type { ExecutorOptions } from '../../runner-dependencies.js';
import { LocalExecutor } from '../local/local-executor.js';
import { makeManifest, whatRuns } from './make-manifest.js';
import { answered } from './redis-problem.js';
import type { RedisServer } from './redis-server.js';
import { Room } from './room.js';
import { RunJobs } from './run-jobs.js';
import { namesOf, parseMessage, type RunManifest } from './run-manifest.js';
import { within } from './within.js';
import { WorkersOfRun } from './workers-of-run.js';

export interface RedisExecutorOptions extends ExecutorOptions {
  /** The server. */
  readonly connect: () => Promise<RedisServer>;
}

/** An execution that has begun. */
interface Begun {
  readonly manifest: RunManifest;
  readonly work: Work;
  readonly jobs: RunJobs;
  readonly workers: WorkersOfRun;
}

/** Milliseconds between looks at the state of the queues, for events that were missed. */
const lookEveryMs = 5_000;
/** Milliseconds that a stop or the end of a run waits for a server that is away. */
const awayMs = 5_000;

/** Executes evaluations on the workers of a Redis server: finds and describes them here, and puts their tasks into queues. */
export class RedisExecutor implements Executor {
  readonly #options: RedisExecutorOptions;
  readonly #local: LocalExecutor;
  readonly #room: Room;
  #server: RedisServer | undefined;
  #files: readonly EvalFile[] = [];
  #modules: readonly string[] = [];
  #descriptors = new Map<string, Descriptor>();
  #leaveConnection: (() => void) | undefined;
  #begun: Begun | undefined;
  #settle: { resolve: () => void; reject: (error: unknown) => void } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isFilling = false;
  #isPaused = false;
  #isStopped = false;

  constructor(options: RedisExecutorOptions) {
    this.#options = options;
    this.#room = new Room(() =>
      options.onWarning(
        'Redis is full (maxmemory). The run waits until there is room; nothing is lost.',
      ),
    );
    this.#local = new LocalExecutor({ ...options, concurrency: 1, workers: 1, listsModules: true });
  }

  async load(files: readonly EvalFile[], options?: LoadOptions): Promise<LoadedFiles> {
    // The libraries for Redis take as long to load as a small eval file: both at once.
    const [loaded, server] = await Promise.all([
      this.#local.load(files, options),
      this.#options.connect(),
    ]);
    this.#server = server;
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

  execute(run: RunContext, work: Work): Promise<void> {
    return answered(this.#redis.shownUrl, this.#execute(run, work));
  }

  async pause(): Promise<void> {
    this.#isPaused = true;
    const { jobs, workers } = this.#begun ?? {};
    await within(
      awayMs,
      Promise.all([jobs?.setPaused(true), this.#publish()]).catch((error) =>
        this.#room.note(error),
      ),
    );
    const waiting = await workers?.command('pause');
    if (waiting !== undefined && this.#isPaused) jobs?.onWaiting(waiting);
  }

  resume(): void {
    this.#isPaused = false;
    const { jobs, workers } = this.#begun ?? {};
    void Promise.all([jobs?.setPaused(false), this.#publish()])
      .then(() => workers?.command('resume'))
      .catch(() => undefined);
    this.#fill();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#room.close();
    this.#local.close();
    if (this.#begun !== undefined) {
      const { manifest, jobs, workers } = this.#begun;
      const { client } = this.#redis;
      jobs.stop();
      await within(awayMs, client.hdel(namesOf(this.#redis).runs, manifest.run.runId));
      await workers.command('stop');
    }
    this.#settle?.resolve();
  }

  close(): void {
    this.#local.close();
    clearInterval(this.#timer);
  }

  get #redis(): RedisServer {
    if (this.#server === undefined) throw new Error('nothing has been loaded');
    return this.#server;
  }

  async #execute(run: RunContext, work: Work): Promise<void> {
    this.#local.close();
    const done = new Promise<void>((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    done.catch(() => undefined);
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
      jobs: this.#makeJobs(run, work),
      workers: this.#makeWorkers(manifest, work),
    };
    this.#begun = begun;
    try {
      await this.#start(begun)
        .then(() => done)
        .catch((error: unknown) => {
          if (!this.#isStopped) throw error;
        });
      this.#isStopped = true;
      begun.jobs.stop();
      if (!(await within(awayMs, this.#end(begun)).catch(() => false))) {
        this.#options.onWarning('Redis does not answer, so the queue of the run stays in it.');
      }
    } finally {
      this.#disconnect(begun);
    }
  }

  #makeWorkers({ run, rates }: RunManifest, work: Work): WorkersOfRun {
    return new WorkersOfRun({
      redis: this.#redis,
      run: run.runId,
      hasRates: rates !== undefined,
      onWarning: this.#options.onWarning,
      onSlots: () => {
        this.#publish().catch(() => undefined);
        this.#fill();
      },
      onLate: ({ task, calls }) => work.onCalled(task, calls),
    });
  }

  #makeJobs(run: RunContext, work: Work): RunJobs {
    return new RunJobs({
      redis: this.#redis,
      run: run.runId,
      work,
      descriptors: this.#descriptors,
      room: this.#room,
      onEnded: () => this.#fill(),
      onFailure: (error) => this.#settle?.reject(error),
    });
  }

  /** Tells workers of the run, and in which state it is. */
  async #publish(): Promise<void> {
    if (this.#begun === undefined || this.#isStopped) return;
    const { manifest, workers } = this.#begun;
    const now: RunManifest = {
      ...manifest,
      isPaused: this.#isPaused,
      slots: workers.slots,
      at: new Date().toISOString(),
    };
    const { client } = this.#redis;
    await client.hset(namesOf(this.#redis).runs, manifest.run.runId, JSON.stringify(now));
  }

  /** Begins to hand out tasks. */
  async #start(begun: Begun): Promise<void> {
    await begun.jobs.open(begun.manifest.requires);
    await this.#room.write(() => this.#enter(begun));
    this.#leaveConnection = this.#redis.onConnection((isConnected) =>
      this.#noteConnection(isConnected),
    );
    await begun.workers.open();
    this.#timer = setInterval(() => {
      this.#look().catch(() => undefined);
      this.#noteMissing();
    }, lookEveryMs);
    setTimeout(() => this.#noteWorkers(begun), 2_000).unref();
    await this.#look();
    this.#fill();
  }

  /** Puts the run into Redis: its queues as they have to be, and the run into the list. */
  async #enter(begun: Begun): Promise<void> {
    await this.#adopt(begun);
    await begun.jobs.setPaused(this.#isPaused);
    await this.#publish();
  }

  /** Takes over the jobs of an earlier execution of the run that was not ended, if the code is the same. */
  async #adopt({ manifest, jobs }: Begun): Promise<void> {
    const text = await this.#redis.client.hget(namesOf(this.#redis).runs, manifest.run.runId);
    const before = parseMessage<RunManifest>(text ?? '');
    const isSame = before !== undefined && whatRuns(before) === whatRuns(manifest);
    if (isSame && this.#options.resumes === true) await jobs.adopt();
    else await jobs.remove();
  }

  #fill(): void {
    const begun = this.#begun;
    if (begun === undefined || this.#isStopped || this.#isPaused || this.#isFilling) return;
    this.#isFilling = true;
    const { jobs, workers } = begun;
    jobs
      .add(
        () => workers.slots,
        () => !this.#isStopped && !this.#isPaused,
      )
      .catch((error: unknown) => this.#settle?.reject(error))
      .finally(() => {
        this.#isFilling = false;
        this.#endIfDone(begun);
      });
  }

  /** Finds answers whose event was missed, and puts back what Redis has lost. */
  async #look(): Promise<void> {
    const begun = this.#begun;
    if (begun === undefined || this.#isStopped || this.#isFilling) return;
    await this.#publish().catch((error: unknown) => {
      if (!this.#room.note(error)) throw error;
    });
    await begun.workers.look();
    await begun.jobs.look();
    this.#fill();
  }

  #noteWorkers({ jobs, workers }: Begun): void {
    if (!this.#isStopped && jobs.areOpen) workers.warnIfNone();
    this.#noteMissing();
  }

  #noteMissing(): void {
    if (this.#begun === undefined || this.#isStopped) return;
    const { jobs, workers } = this.#begun;
    workers.warnOfMissing(jobs.waiting).catch(() => undefined);
  }

  #noteConnection(isConnected: boolean): void {
    if (this.#isStopped) return;
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

  #endIfDone({ work, jobs }: Begun): void {
    if (work.left() === 0 && jobs.isDone()) this.#settle?.resolve();
  }

  /** Removes everything of the run from Redis. */
  async #end({ manifest, workers, jobs }: Begun): Promise<void> {
    await this.#redis.client.hdel(namesOf(this.#redis).runs, manifest.run.runId);
    await workers.dismiss();
    await jobs.remove();
  }

  #disconnect({ workers, jobs }: Begun): void {
    this.#isStopped = true;
    this.#room.close();
    clearInterval(this.#timer);
    this.#leaveConnection?.();
    workers.close();
    jobs.close();
  }
}
