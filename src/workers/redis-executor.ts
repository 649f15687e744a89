import { setTimeout as delay } from 'node:timers/promises';
import type { StoredCall } from '../model/calls/stored-calls.js';
import { mayCost } from '../model/calls/usage.js';
import type { FoundCode } from '../model/code/file-code.js';
import { keyOfValues } from '../protocol/descriptors.js';
import type {
  DescribedValues,
  Descriptor,
  EvalFile,
  LoadedModules,
  RunContext,
} from '../protocol/messages.js';
import type {
  Executor,
  ExecutorOptions,
  LoadedFiles,
  LoadOptions,
  Work,
} from '../runner/executor.js';
import { LocalExecutor } from '../runner/local/local-executor.js';
import { machineOf } from './machine.js';
import { answered, resolvesWithin } from './redis-problem.js';
import type { RedisServer } from './redis-server.js';
import { RunJobs, takeLate } from './run-jobs.js';
import { readRun, removeEndedRuns, removeQueues, removeRun, saveRun } from './run-list.js';
import { makeManifest, type RunManifest, whatRuns } from './run-manifest.js';
import { WorkersOfRun } from './workers-of-run.js';

export interface RedisExecutorOptions extends ExecutorOptions {
  readonly connect: () => Promise<RedisServer>;
  /** Workers may have another major version of Node. Default false. */
  readonly anyNode?: boolean | undefined;
  /** Called at the end of an execution; resolves when nothing of it is left in Redis, or a server that is away keeps it. */
  readonly onEnding: (removal: Promise<void>) => void;
}

/** An execution that has begun. */
interface Begun {
  manifest: RunManifest;
  readonly work: Work;
  readonly jobs: RunJobs;
  readonly workers: WorkersOfRun;
}

/** Milliseconds between looks at the state of the queues, for events that were missed. */
const lookEveryMs = 5_000;
/** Milliseconds until the process ends that has described the evaluations: not while workers wait for the first tasks. */
const endAfterMs = 300;
/** Milliseconds that a stop or the end of a run waits for a server that is away. */
const awayMs = 5_000;

/** Executes evaluations on the workers of a Redis server: finds and describes them here, and puts their tasks into queues. */
export class RedisExecutor implements Executor {
  readonly isRemote = true;
  readonly #options: RedisExecutorOptions;
  readonly #local: LocalExecutor;
  #server: RedisServer | undefined;
  #files: readonly EvalFile[] = [];
  #modules: LoadedModules = { files: [], settings: '', packages: [] };
  #isOfAll = true;
  /** By id; see `Task`. */
  readonly #values = new Map<string, string>();
  #descriptors = new Map<string, Descriptor>();
  #stopListening: (() => void) | undefined;
  #begun: Begun | undefined;
  #settle: { resolve: () => void; reject: (error: unknown) => void } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isFilling = false;
  #isPaused = false;
  #isStopped = false;

  constructor(options: RedisExecutorOptions) {
    this.#options = options;
    this.#local = new LocalExecutor({ ...options, concurrency: 1, workers: 1, listsModules: true });
  }

  async load(files: readonly EvalFile[], options?: LoadOptions): Promise<LoadedFiles> {
    // The libraries for Redis take as long to load as a small eval file: both at once.
    const [loaded] = await Promise.all([this.#local.load(files, options), this.#connect()]);
    const failed = new Set(loaded.failures.map(({ file }) => file));
    this.#files = files.filter(({ name }) => !failed.has(name));
    this.#modules = loaded.modules ?? this.#modules;
    this.#isOfAll = failed.size === 0;
    this.#descriptors = new Map(loaded.descriptors.map((one) => [one.id, one]));
    return loaded;
  }

  describe(
    ids: readonly string[],
    onValues: (values: readonly DescribedValues[]) => void,
  ): Promise<void> {
    return this.#local.describe(ids, (values) => {
      for (const one of values) this.#values.set(one.id, keyOfValues(one));
      onValues(values);
    });
  }

  fingerprint(): Promise<readonly FoundCode[]> {
    return this.#local.fingerprint();
  }

  /** Of one run: those of a group have queues of their own. */
  execute([run]: readonly RunContext[], work: Work): Promise<void> {
    if (run === undefined) throw new Error('there is no run to execute');
    return answered(this.#redis.shownUrl, this.#execute(run, work));
  }

  async pause(): Promise<void> {
    this.#isPaused = true;
    const { jobs, workers } = this.#begun ?? {};
    await resolvesWithin(
      awayMs,
      Promise.all([jobs?.setPaused(true), this.#publish()]).catch((error) =>
        this.#redis.errors.report(error),
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
    this.#local.close();
    if (this.#begun !== undefined) {
      const { jobs, workers } = this.#begun;
      jobs.stop();
      void this.#markEnded(this.#begun);
      await workers.command('stop');
    }
    this.#settle?.resolve();
  }

  close(): void {
    this.#local.close();
    clearInterval(this.#timer);
  }

  takeUnlisted(): readonly StoredCall[] {
    const calls = this.#local.takeUnlisted();
    // Imports of workers have made such calls, too, and not all of them are told.
    if (calls.some(mayCost)) this.#begun?.work.onCutOff();
    return calls;
  }

  get #redis(): RedisServer {
    if (this.#server === undefined) throw new Error('nothing has been loaded');
    return this.#server;
  }

  async #connect(): Promise<void> {
    this.#server = await this.#options.connect();
    void this.#server.bullmq;
  }

  async #execute(run: RunContext, work: Work): Promise<void> {
    // Workers have the same code.
    const code = this.#local.findCode(work);
    void Promise.all([code, delay(endAfterMs, undefined, { ref: false })]).then(() =>
      this.#local.close(),
    );
    const done = new Promise<void>((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    done.catch(() => undefined);
    const manifest = await makeManifest(this.#options, {
      run,
      files: this.#files,
      modules: this.#modules,
      isOfAll: this.#isOfAll,
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
      const started = this.#start(begun).catch((error: unknown) => {
        if (!this.#isStopped) throw error;
      });
      // A stop does not wait for a server that is away.
      await Promise.race([started.then(() => done), done]);
      if (!this.#isStopped) await code;
      this.#isStopped = true;
      begun.jobs.stop();
      this.#options.onEnding(this.#end(begun).finally(() => this.#disconnect(begun)));
    } catch (error) {
      this.#disconnect(begun);
      throw error;
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
        this.#noteIfNone();
      },
      onLate: (late) => takeLate(work, late),
    });
  }

  #makeJobs(run: RunContext, work: Work): RunJobs {
    return new RunJobs({
      redis: this.#redis,
      run: run.runId,
      execution: () => this.#begun?.manifest.execution ?? '',
      work,
      cwd: this.#options.cwd,
      machine: machineOf(this.#options.env),
      descriptors: this.#descriptors,
      values: this.#values,
      onEnded: () => this.#fill(),
      onWarning: this.#options.onWarning,
      onFailure: (error) => this.#settle?.reject(error),
    });
  }

  /** Tells workers of the run, and in which state it is. */
  async #publish(): Promise<void> {
    if (this.#begun === undefined || this.#isStopped) return;
    const { manifest, workers } = this.#begun;
    await saveRun(this.#redis, { ...manifest, isPaused: this.#isPaused, slots: workers.slots });
  }

  /** Begins to hand out tasks. */
  async #start(begun: Begun): Promise<void> {
    await Promise.all([begun.jobs.open(begun.manifest.requires), begun.workers.open()]);
    if (this.#isStopped) return;
    await this.#redis.errors.retryWhileFull(
      () => this.#enter(begun),
      () => this.#isStopped,
    );
    if (this.#isStopped) return;
    this.#stopListening = this.#redis.onBack(() => {
      // What workers said meanwhile was not heard.
      begun.workers.call().catch(() => undefined);
      void this.#look();
    });
    this.#timer = setInterval(() => {
      void this.#look();
      this.#noteMissing();
    }, lookEveryMs);
    setTimeout(() => this.#noteIfNone(), 2_000).unref();
    await begun.workers.call();
    await this.#look();
    removeEndedRuns(this.#redis, this.#options.hasEnded).catch(() => undefined);
  }

  /** Puts the run into Redis: first into the list, so that nothing stays that nobody finds. */
  async #enter(begun: Begun): Promise<void> {
    await this.#adopt(begun);
    await this.#publish();
    await begun.jobs.onListed(this.#isPaused);
  }

  /** Takes over the jobs of an earlier execution of the run that was not ended, if the code is the same. */
  async #adopt(begun: Begun): Promise<void> {
    const { manifest, jobs } = begun;
    const before = await readRun(this.#redis, manifest.run.runId);
    const isSame = before?.isEnded === false && whatRuns(before) === whatRuns(manifest);
    if (isSame && this.#options.resumes) {
      // Workers that have joined it stay in it.
      begun.manifest = { ...manifest, execution: before.execution };
      await jobs.adopt();
      return;
    }
    for (const one of before === undefined ? [manifest] : [before, manifest]) {
      await removeQueues(this.#redis, one);
    }
  }

  #fill(): void {
    const begun = this.#begun;
    if (begun === undefined || this.#isStopped || this.#isPaused || this.#isFilling) return;
    this.#isFilling = true;
    const { jobs, workers } = begun;
    jobs
      .add(
        () => ({ joined: workers.slots, expected: workers.expectedSlots }),
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
    try {
      // The server may refuse one of them.
      await Promise.all([this.#publish(), begun.workers.look(), begun.jobs.look()]);
      this.#redis.errors.clear();
    } catch (error) {
      this.#redis.errors.report(error);
    }
    this.#fill();
  }

  #noteIfNone(): void {
    if (this.#begun === undefined || this.#isStopped) return;
    const { jobs, workers } = this.#begun;
    if (jobs.areOpen) workers.warnIfNone();
    this.#noteMissing();
  }

  #noteMissing(): void {
    if (this.#begun === undefined || this.#isStopped) return;
    const { jobs, workers } = this.#begun;
    workers.warnOfMissing(jobs.waiting).catch(() => undefined);
  }

  #endIfDone({ work, jobs }: Begun): void {
    if (work.left() > 0 || !jobs.isDone()) return;
    if (jobs.failure === undefined) this.#settle?.resolve();
    else this.#settle?.reject(jobs.failure);
  }

  /** Removes everything of the run from Redis; a server that is away does that when it is back. */
  async #end(begun: Begun): Promise<void> {
    try {
      if (!(await resolvesWithin(awayMs, this.#remove(begun)))) this.#noteLeft('does not answer');
    } catch (error) {
      this.#redis.errors.report(error);
      this.#noteLeft('refuses to remove it');
    }
  }

  #noteLeft(why: string): void {
    this.#options.onWarning(
      `The queue of the run stays in Redis, which ${why}; a later run from here removes it.`,
    );
  }

  async #remove(begun: Begun): Promise<void> {
    await this.#markEnded(begun);
    await begun.workers.dismiss().catch(() => undefined);
    await begun.jobs.discardAnswers();
    await removeRun(this.#redis, begun.manifest);
  }

  /** Workers leave the run, and do not come back while its queues are removed. */
  async #markEnded({ manifest }: Begun): Promise<void> {
    await saveRun(this.#redis, { ...manifest, isEnded: true }).catch(() => undefined);
  }

  #disconnect({ workers, jobs }: Begun): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#stopListening?.();
    workers.close();
    jobs.close();
  }
}
