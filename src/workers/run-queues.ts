import type { EventEmitter } from 'node:events';
import type { Job, Queue, QueueEvents } from 'bullmq';
import type { Task } from '../protocol/messages.js';
import type { FinishedResult } from '../runner/events.js';
import { pack } from './large-values.js';
import type { JobData } from './messages.js';
import { isReply } from './redis-problem.js';
import { keptSeconds, queueName, type RedisServer } from './redis-server.js';

/** A task under the id of its job. */
export interface NewJob {
  readonly id: string;
  readonly task: Task;
}

export interface RunQueuesOptions {
  readonly redis: RedisServer;
  /** Id of the run. */
  readonly run: string;
  /** Id of the execution. */
  readonly execution: () => string;
  /** The run has been stopped: nothing waits for Redis any more. */
  readonly isStopped: () => boolean;
  readonly onActive: (job: string) => void;
  /** A job is in the queue again. */
  readonly onReturned: (job: string) => void;
  /** A worker could not run a job. */
  readonly onFailed: (job: string, reason: string) => void;
  /** Gets what should be a `JobProgress`. */
  readonly onProgress: (progress: unknown) => void;
  /** Gets what should be a packed `JobReturn`. */
  readonly onCompleted: (job: string, packed: unknown) => void;
}

/** Events that Redis keeps of a queue. */
const keptEvents = 1_000;
const page = 500;

/** The queues of a run: one for each set of what evaluations require of a worker. */
export class RunQueues {
  readonly #options: RunQueuesOptions;
  readonly #queues = new Map<string, Queue>();
  readonly #events: QueueEvents[] = [];

  constructor(options: RunQueuesOptions) {
    this.#options = options;
  }

  get all(): readonly Queue[] {
    return [...this.#queues.values()];
  }

  /** The queue of evaluations that require this of a worker. */
  of(requires: readonly string[] = []): Queue {
    const name = queueName(this.#options.run, requires);
    const queue = this.#queues.get(name);
    if (queue === undefined) throw new Error(`the run has no queue ${name}`);
    return queue;
  }

  /** Opens a queue, and begins to listen to its events. Writes nothing: the run is not in the list yet. */
  async open(requires: readonly string[]): Promise<void> {
    const { redis, run } = this.#options;
    const { bullmq, client, connection, prefix } = redis;
    const name = queueName(run, requires);
    const shared = { prefix, skipVersionCheck: true };
    const queue = new bullmq.Queue(name, { ...shared, connection: client, skipMetasUpdate: true });
    this.#queues.set(name, queue);
    const events = new bullmq.QueueEvents(name, { ...shared, connection });
    this.#events.push(events);
    this.#listen(events);
    await Promise.all([untilReady(queue), untilReady(events)]);
  }

  /** Limits the events that Redis keeps. */
  async limitEvents(): Promise<void> {
    const { client } = this.#options.redis;
    await Promise.all(
      this.all.map((queue) => client.hset(queue.toKey('meta'), 'opts.maxLenEvents', keptEvents)),
    );
  }

  /** Adds jobs; waits while Redis has no memory left. */
  async add(queue: Queue, jobs: readonly NewJob[], delay = 0): Promise<void> {
    const { redis, run, isStopped } = this.#options;
    const execution = this.#options.execution();
    const packed = await redis.errors.retryWhileFull(
      () =>
        Promise.all(
          jobs.map(({ task }) => pack(redis, run, { execution, task } satisfies JobData)),
        ),
      isStopped,
    );
    const added = jobs.map(({ id, task }, at) => ({
      name: task.id,
      data: packed[at],
      opts: { jobId: id, delay, removeOnComplete: { age: keptSeconds } },
    }));
    await redis.errors.retryWhileFull(() => queue.addBulk(added), isStopped);
  }

  /** Puts a job into its queue again. `delay`: milliseconds until a worker may take it. */
  async again(queue: Queue, job: NewJob, delay: number): Promise<void> {
    await queue.remove(job.id).catch(() => 0);
    await this.add(queue, [job], delay);
  }

  /** The jobs of a queue that no coordinator has removed. */
  async *jobs(queue: Queue): AsyncGenerator<Job> {
    const states = ['waiting', 'active', 'delayed', 'completed', 'failed'] as const;
    for (let at = 0; ; at += page) {
      const jobs = (await queue.getJobs([...states], at, at + page - 1, true)) as Job[];
      yield* jobs.filter((job) => job !== undefined);
      if (jobs.length === 0) return;
    }
  }

  /** How many jobs a queue has. */
  async count(queue: Queue): Promise<number> {
    const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'completed', 'failed');
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  }

  /** Keeps workers from taking jobs, or no longer. */
  async setPaused(isPaused: boolean): Promise<void> {
    await Promise.all(this.all.map((queue) => (isPaused ? queue.pause() : queue.resume())));
  }

  /** Lets go of Redis, also when it does not answer any more. */
  close(): void {
    for (const one of [...this.#events, ...this.all]) one.close().catch(() => undefined);
  }

  #listen(events: QueueEvents): void {
    const { onActive, onReturned, onFailed, onProgress, onCompleted } = this.#options;
    events.on('active', ({ jobId }) => onActive(jobId));
    events.on('stalled', ({ jobId }) => onReturned(jobId));
    events.on('failed', ({ jobId, failedReason }) => onFailed(jobId, failedReason));
    events.on('progress', ({ data }) => onProgress(data));
    events.on('completed', ({ jobId, returnvalue }) => onCompleted(jobId, returnvalue));
  }
}

/** Waits for a connection, which connects again by itself from then on. Rejects when the server refuses it. */
async function untilReady(connection: Queue | QueueEvents): Promise<void> {
  const refused = new Promise<never>((_, reject) => {
    // Both are emitters, whose types of events differ.
    (connection as EventEmitter).on('error', (error) => {
      if (isReply(error)) reject(error);
    });
  });
  await Promise.race([connection.waitUntilReady(), refused]);
}

/** What became of open jobs of a queue, as the queue says: events may be missed. */
export interface MissedJobs {
  /** With what should be a packed `JobReturn`; `null` if Redis refused it after it had ended the job. */
  readonly completed: readonly { readonly id: string; readonly packed: unknown }[];
  readonly failed: readonly { readonly id: string; readonly reason: string }[];
  /** Jobs that the server does not have any more: without persistence it loses its queues when it restarts. */
  readonly lost: readonly string[];
}

/** Looks for the ends of open jobs in a queue. */
export async function findMissedJobs(
  queues: RunQueues,
  queue: Queue,
  isOpen: (job: string) => boolean,
  open: () => readonly string[],
): Promise<MissedJobs> {
  const completed: { id: string; packed: unknown }[] = [];
  for (const id of await queue.getRanges(['completed'], 0, -1)) {
    if (!isOpen(id)) continue;
    const job = (await queue.getJob(id)) as Job | undefined;
    if (job !== undefined) completed.push({ id, packed: job.returnvalue });
  }
  const failed: { id: string; reason: string }[] = [];
  for (const id of (await queue.getRanges(['failed'], 0, -1)).filter(isOpen)) {
    const job = (await queue.getJob(id)) as Job | undefined;
    if (job !== undefined) failed.push({ id, reason: String(job.failedReason) });
  }
  const lost: string[] = [];
  // Jobs are open before they are in the queue, so those are counted first.
  const ids = open();
  if ((await queues.count(queue)) < ids.length) {
    for (const id of ids) {
      if (isOpen(id) && (await queue.getJobState(id)) === 'unknown') lost.push(id);
    }
  }
  return { completed, failed, lost };
}

/** The jobs that an earlier execution of the run has left in its queues, and their results. */
export class EarlierJobs {
  /** Job by task. */
  readonly #jobs = new Map<number, string>();
  /** Results of those jobs whose task has not been taken. */
  readonly #results = new Map<number, FinishedResult>();
  /** Tasks that this execution has taken, and whose result comes from the job. */
  readonly #taken = new Set<number>();

  add(job: string, task: number): void {
    this.#jobs.set(task, job);
  }

  jobOf(task: number): string | undefined {
    return this.#jobs.get(task);
  }

  /** The result of a task that is being taken, if its job has ended; nobody else gets it. */
  takeResult(task: number): FinishedResult | undefined {
    const result = this.#results.get(task);
    this.#results.delete(task);
    return result;
  }

  /** The task is taken; its job is still open. */
  await(task: number): void {
    this.#taken.add(task);
  }

  /** True if the run waits for a result: that of an earlier job may have been in the log before, and is kept until it is taken. */
  isWanted(job: string, result: FinishedResult): boolean {
    if (!this.isIdle(job, result.index)) return true;
    this.#results.set(result.index, result);
    return false;
  }

  /** True for an earlier job whose task nobody waits for. */
  isIdle(job: string, task: number): boolean {
    return this.#jobs.get(task) === job && !this.#taken.has(task);
  }
}
