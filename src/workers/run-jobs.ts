import type { Queue } from 'bullmq';
import { AssayError } from '../errors.js';
import type { FileReads } from '../model/code/file-code.js';
import type { Descriptor, Task } from '../protocol/messages.js';
import type { FinishedResult } from '../runner/events.js';
import type { Work } from '../runner/executor.js';
import { countOf } from '../text/count-text.js';
import { cutMiddle } from '../text/cut-middle.js';
import { noTask } from './fed-work.js';
import { discard, unpack } from './large-values.js';
import { type Machine, whyOther, withFilesIn } from './machine.js';
import { type LateCalls, parseAnswer, parseJob, parseProgress } from './messages.js';
import type { RedisServer } from './redis-server.js';
import { EarlierJobs, findMissedJobs, type NewJob, RunQueues } from './run-queues.js';

export interface RunJobsOptions {
  readonly redis: RedisServer;
  /** Id of the run. */
  readonly run: string;
  /** Id of the execution. */
  readonly execution: () => string;
  readonly work: Work;
  /** The working directory. */
  readonly cwd: string;
  /** This machine: results of others are not carried over as if they were of this one. */
  readonly machine: Machine;
  /** By id. */
  readonly descriptors: ReadonlyMap<string, Descriptor>;
  /** By id: see `Task`. */
  readonly values: ReadonlyMap<string, string>;
  /** A job has ended. */
  readonly onEnded: () => void;
  readonly onWarning: (text: string) => void;
  /** The run cannot go on. */
  readonly onFailure: (error: unknown) => void;
}

interface OpenJob {
  readonly task: Task;
  readonly queue: Queue;
  isStarted: boolean;
  isAnswered: boolean;
  /** How often its answer was gone. */
  lost: number;
  /** How often a worker has rejected it. */
  rejected: number;
}

const fresh = { isStarted: false, isAnswered: false, lost: 0, rejected: 0 };

/** Slots of workers, all together. */
export interface KnownSlots {
  readonly joined: number;
  /** Of all that may join. */
  readonly expected: number;
}

/** Fewest jobs that are in the queue before any worker has come. */
const firstJobs = 16;
/** Milliseconds that an answer stays in Redis after it was reported, while the log reaches the disk. */
const keptMs = 1_000;
/** How often a job is run again whose answer is gone. */
const mostLost = 3;
/** How often a job is run again that a worker has rejected: one that ends at once has done nothing wrong. */
const mostRejected = 4;
/** Milliseconds until a rejected job is run again; twice as many each time. */
const firstDelayMs = 250;
/** How many jobs workers may reject for good, while they have answered none. */
const mostHopeless = 10;

/** The jobs of a run: hands out a job for each task, and takes their answers. */
export class RunJobs {
  readonly #options: RunJobsOptions;
  readonly #queues: RunQueues;
  readonly #open = new Map<string, OpenJob>();
  readonly #earlier = new EarlierJobs();
  readonly #answered: { job: string; queue: Queue; packed: unknown }[] = [];
  #removal: NodeJS.Timeout | undefined;
  /** What the work knows of what evaluations have looked at. */
  readonly #reads = new Set<string>();
  #isStopped = false;
  #jobs = 0;
  /** Jobs that workers have rejected for good. */
  #givenUp = 0;
  /** Results that workers have sent, and those that they should have sent. */
  readonly #results = { sent: 0, missing: 0 };

  constructor(options: RunJobsOptions) {
    this.#options = options;
    const { redis, run, execution } = options;
    this.#queues = new RunQueues({
      redis,
      run,
      execution,
      isStopped: () => this.#isStopped,
      onActive: (job) => this.#onActive(job),
      onReturned: (job) => this.#onReturned(job),
      onFailed: (job, reason) => this.#guard(this.#onRejected(job, reason)),
      onProgress: (progress) => this.#onProgress(progress),
      onCompleted: (job, packed) => this.#guard(this.#onCompleted(job, packed)),
    });
  }

  /** Opens a queue for each set of what evaluations require of a worker. */
  async open(requires: readonly (readonly string[])[]): Promise<void> {
    for (const one of requires) await this.#queues.open(one);
  }

  /** Takes over the jobs that an earlier execution of the run has left. */
  async adopt(): Promise<void> {
    for (const queue of this.#queues.all) {
      for await (const job of this.#queues.jobs(queue)) {
        const { redis, run } = this.#options;
        // It is handed out anew.
        if (job.failedReason !== undefined) await job.remove().catch(() => undefined);
        if (job.failedReason !== undefined) continue;
        const data = parseJob(await unpack(redis, run, job.data));
        if (data === undefined || job.id === undefined) continue;
        if (data.task.stored !== undefined) continue;
        // It is, or was, about another case.
        const isOther = data.task.values !== this.#withValues(data.task).values;
        if (isOther) await job.remove().catch(() => undefined);
        if (isOther) continue;
        this.#open.set(job.id, { task: data.task, queue, ...fresh });
        this.#earlier.add(job.id, data.task.task);
      }
    }
  }

  get areOpen(): boolean {
    return this.#open.size > 0;
  }

  /** How many tasks in the queues no worker has begun, by what they require, with commas. */
  get waiting(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { task, isStarted } of this.#open.values()) {
      if (isStarted) continue;
      const requires = (this.#options.descriptors.get(task.id)?.requires ?? []).join(',');
      counts.set(requires, (counts.get(requires) ?? 0) + 1);
    }
    return counts;
  }

  /** Adds jobs for all slots, while there are tasks and `goesOn` is true. */
  async add(slotsNow: () => KnownSlots, goesOn: () => boolean): Promise<void> {
    const { work } = this.#options;
    while (work.left() > 0 && goesOn()) {
      const { joined, expected } = slotsNow();
      const slots = joined === 0 ? Math.max(expected, firstJobs) : joined;
      const wanted = joined === 0 || work.ahead === 0 ? slots : 2 * slots + 2;
      const room = wanted - this.#open.size;
      if (room <= 0) return;
      const jobs = new Map<Queue, NewJob[]>();
      for (const task of work.take(room).map((one) => this.#withValues(one))) {
        if (this.#isEarlier(task.task)) continue;
        this.#jobs += 1;
        const id = `${crypto.randomUUID().slice(0, 8)}-${this.#jobs}`;
        const queue = this.#queues.of(this.#options.descriptors.get(task.id)?.requires);
        const list = jobs.get(queue) ?? [];
        list.push({ id, task });
        jobs.set(queue, list);
        this.#open.set(id, { task, queue, ...fresh });
      }
      for (const [queue, list] of jobs) await this.#queues.add(queue, list);
    }
  }

  /** Makes the queues as they have to be, once the run is in the list. */
  async onListed(isPaused: boolean): Promise<void> {
    await this.#queues.limitEvents();
    await this.setPaused(isPaused);
  }

  /** Keeps workers from taking jobs, or no longer. */
  setPaused(isPaused: boolean): Promise<void> {
    return this.#queues.setPaused(isPaused);
  }

  /** Tasks of started jobs have not begun, and wait until the run is resumed. */
  onWaiting(numbers: readonly number[]): void {
    const waiting = new Set(numbers);
    const open = [...this.#open.values()].map(({ task }) => task);
    const tasks = open.filter(({ task }) => waiting.has(task));
    if (tasks.length > 0) this.#options.work.onReturned(tasks);
  }

  /** Finds answers whose event was missed, and puts back what Redis has lost. */
  async look(): Promise<void> {
    for (const queue of this.#queues.all) {
      const isOpen = (id: string) => this.#open.get(id)?.isAnswered === false;
      const open = () => [...this.#open].filter(([, job]) => job.queue === queue).map(([id]) => id);
      const { completed, failed, lost } = await findMissedJobs(this.#queues, queue, isOpen, open);
      for (const { id, packed } of completed) await this.#onCompleted(id, packed);
      for (const { id, reason } of failed) await this.#onRejected(id, reason);
      for (const id of lost) await this.#retry(id);
    }
  }

  /** Why the run has failed although all jobs are done: no worker has sent a result. */
  get failure(): AssayError | undefined {
    const { sent, missing } = this.#results;
    if (sent > 0 || missing === 0) return undefined;
    const text = `No worker has sent a well-formed result of ${countOf(missing, 'evaluation')}.`;
    return useless(text, `--rerun ${this.#options.run} --only errors`);
  }

  /** True when no job is open that the run waits for. */
  isDone(): boolean {
    for (const [id, { task }] of this.#open) {
      if (this.#earlier.isIdle(id, task.task)) this.#open.delete(id);
    }
    return this.#open.size === 0;
  }

  /** Deletes the values of answers, which are not in the queues. */
  async discardAnswers(): Promise<void> {
    clearTimeout(this.#removal);
    const { redis, run } = this.#options;
    await Promise.all(
      this.#answered
        .splice(0)
        .map(({ packed }) => discard(redis, run, packed).catch(() => undefined)),
    );
  }

  /** Takes no answers any more. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    if ([...this.#open.values()].some(({ isStarted }) => isStarted)) this.#options.work.onCutOff();
  }

  /** Lets go of Redis. */
  close(): void {
    clearTimeout(this.#removal);
    this.#queues.close();
  }

  /** A worker must have the values of the case that were planned, unless it gets stored ones. */
  #withValues(task: Task): Task {
    const values = this.#options.values.get(task.id);
    return task.stored?.authored === undefined ? { ...task, values } : task;
  }

  /** True for a task that an earlier execution has handed out. */
  #isEarlier(task: number): boolean {
    const result = this.#earlier.takeResult(task);
    if (result !== undefined) {
      this.#options.work.onFinished([result]);
      return true;
    }
    const job = this.#earlier.jobOf(task);
    if (job === undefined || !this.#open.has(job)) return false;
    this.#earlier.await(task);
    return true;
  }

  /** An error in the background ends the run. */
  #guard(action: Promise<void>): void {
    action.catch((error: unknown) => this.#options.onFailure(error));
  }

  #onActive(id: string): void {
    const job = this.#open.get(id);
    if (job === undefined || job.isStarted) return;
    job.isStarted = true;
    this.#options.work.onStarted([job.task]);
  }

  #onReturned(id: string): void {
    const job = this.#open.get(id);
    if (job === undefined) return;
    if (job.isStarted) {
      this.#options.work.onReturned([job.task]);
      // Its worker has called models, maybe, and nobody says what.
      this.#options.work.onCutOff();
    }
    job.isStarted = false;
  }

  #onProgress(progress: unknown): void {
    const tasks = new Map([...this.#open.values()].map(({ task }) => [task.task, task]));
    for (const { task, stream, text } of parseProgress(progress)) {
      const of = tasks.get(task);
      if (of !== undefined) this.#options.work.onPrinted(of, stream, text);
    }
  }

  async #onCompleted(id: string, packed: unknown): Promise<void> {
    const { redis, run, work, cwd, machine, onWarning } = this.#options;
    const job = this.#open.get(id);
    // The event and a look at the queue may both find it.
    if (job === undefined || job.isAnswered) return;
    job.isAnswered = true;
    const answer = await unpack(redis, run, packed ?? undefined);
    if (this.#isStopped) return;
    if (answer === undefined && job.lost < mostLost) {
      // Its answer is gone, or Redis has refused a part of it: a worker takes the job again.
      job.lost += 1;
      job.isAnswered = false;
      await this.#retry(id);
      return;
    }
    const done = parseAnswer(answer, job.task);
    if (!done.isWhole) {
      onWarning(`The answer of a worker to job ${id} has malformed fields, which are left out.`);
    }
    this.#results[done.hasResult ? 'sent' : 'missing'] += 1;
    if (!done.hasResult) work.onCutOff();
    for (const [model, seconds] of Object.entries(done.waited)) {
      work.calls?.addWaited(model, seconds);
    }
    this.#addReads(done.reads ?? []);
    const hazard =
      done.reads === undefined
        ? 'ran on a worker that has not said what it read'
        : whyOther(machine, done.machine);
    const result = withHazard(withFilesIn(cwd, done.cwd, done.result), hazard);
    if (this.#earlier.isWanted(id, result)) work.onFinished([result]);
    for (const late of done.late) takeLate(work, late);
    this.#open.delete(id);
    this.#answered.push({ job: id, queue: job.queue, packed });
    this.#removal ??= setTimeout(() => void this.#removeAnswered(), keptMs);
    if (work.calls?.hasStopped === true) await this.#dropWaiting();
    this.#options.onEnded();
  }

  /** Before the results that depend on them. */
  #addReads(all: readonly FileReads[]): void {
    const news = all.flatMap(({ file, reads }): FileReads[] => {
      const unknown = reads.filter(({ kind, name, hash }) => {
        const key = [file, kind, name, hash].join('\0');
        return !this.#reads.has(key) && this.#reads.add(key);
      });
      return unknown.length === 0 ? [] : [{ file, reads: unknown, areHashed: true }];
    });
    if (news.length > 0) this.#options.work.onReads?.(news, [0]);
  }

  /** Removes answers that the log has. */
  async #removeAnswered(): Promise<void> {
    clearTimeout(this.#removal);
    this.#removal = undefined;
    const answered = this.#answered.splice(0);
    await Promise.all(
      answered.map(async ({ job, queue, packed }) => {
        await queue.remove(job).catch(() => undefined);
        await discard(this.#options.redis, this.#options.run, packed).catch(() => undefined);
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
  async #retry(id: string, delay = 0): Promise<void> {
    const job = this.#open.get(id);
    if (job === undefined || job.isAnswered || this.#isStopped) return;
    this.#onReturned(id);
    await this.#queues.again(job.queue, { id, task: job.task }, delay);
  }

  /** A worker has failed to run a job: another tries, but not for ever. */
  async #onRejected(id: string, reason: string): Promise<void> {
    const job = this.#open.get(id);
    if (job === undefined || job.isAnswered || this.#isStopped) return;
    job.rejected += 1;
    if (job.rejected <= mostRejected) {
      await this.#retry(id, firstDelayMs * 2 ** (job.rejected - 1));
      return;
    }
    this.#onReturned(id);
    this.#open.delete(id);
    this.#givenUp += 1;
    const { run, onWarning, onEnded, onFailure } = this.#options;
    if (this.#givenUp === 1) {
      const tries = `Workers have failed ${job.rejected} times to run the same evaluations`;
      onWarning(`${tries}, the last time with: ${oneLine(reason)}. These are left out.`);
    }
    await job.queue.remove(id).catch(() => 0);
    if (this.#givenUp < mostHopeless || this.#results.sent > 0) onEnded();
    else onFailure(useless('Workers fail at all evaluations.', `--resume ${run}`));
  }
}

/** A result that cannot be carried over, nor graded again in place of running. */
function withHazard(result: FinishedResult, hazard: string | undefined): FinishedResult {
  if (hazard === undefined) return result;
  const { exact: _, ...outcome } = result.outcome;
  return { ...result, outcome: { ...outcome, hazard: outcome.hazard ?? hazard } };
}

/** Takes calls that a worker has reported apart from results. */
export function takeLate(work: Work, { task, calls }: LateCalls): void {
  if (task === noTask) work.onUnlisted(calls.calls);
  else work.onCalled(task, calls);
}

/** The error of a run to which no worker contributes. `flags`: those that run again what is missing. */
function useless(text: string, flags: string): AssayError {
  const hint = `See what the workers print, then run what is missing: assay run ${flags}`;
  return new AssayError('host-failed', text, { hints: [hint] });
}

const longestReason = 300;

function oneLine(reason: string): string {
  return cutMiddle(reason.replace(/\s+/g, ' ').trim(), longestReason);
}
