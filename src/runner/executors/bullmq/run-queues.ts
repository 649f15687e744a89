import type { EventEmitter } from 'node:events';
import type { Job, Queue, QueueEvents } from 'bullmq';
import type { Task } from '../../../protocol/messages.js';
import { pack } from './large-values.js';
import { isReply } from './redis-problem.js';
import type { RedisServer } from './redis-server.js';
import { type JobData, keptSeconds, queueName } from './run-manifest.js';

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
