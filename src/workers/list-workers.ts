import { AssayError } from '../errors.js';
import {
  connectedWorkers,
  isOffered,
  isSilent,
  readReports,
  removeReport,
  type WorkerReport,
} from './presence.js';
import { answered, resolvesWithin } from './redis-problem.js';
import { queueName, type RedisServer, withQueue } from './redis-server.js';
import { hasSilentCoordinator, readRuns } from './run-list.js';

/** A worker of the project, as others see it. */
export interface ListedWorker extends Omit<WorkerReport, 'at' | 'lock_ms'> {
  /** Its connection is gone, or silent for too long; others take its evaluations of the runs that it names. */
  readonly is_lost: boolean;
  /** ISO time of its last sign of life. */
  readonly last_seen: string;
}

/** A run in the queues of the project. */
interface ListedQueue {
  readonly run_id: string;
  readonly run_name: string;
  readonly is_paused: boolean;
  /** Nothing has been heard of the process that started it for a minute; absent otherwise. */
  readonly is_silent?: true;
  /** Jobs that no worker has taken. Each has evaluations of about 200 ms, or a single slow one. */
  readonly jobs_waiting: number;
  /** What jobs that wait require and no worker offers. */
  readonly not_offered: readonly string[];
  /** Jobs that workers have taken. */
  readonly jobs_active: number;
}

/** Who works for a project, and on what. */
export interface WorkerList {
  readonly workers: readonly ListedWorker[];
  readonly runs: readonly ListedQueue[];
  /** All jobs of the runs, waiting and taken: a measure for autoscaling. */
  readonly jobs: number;
}
/** Milliseconds after which a lost worker is forgotten. */
const forgetMs = 24 * 3600 * 1000;

/** Milliseconds to wait for the server. */
const answerMs = 5_000;

/**
 * Lists the workers of the project and the runs that have queues.
 * @throws {AssayError} `redis-unavailable` when the server does not answer, or with an error
 */
export async function listWorkers(redis: RedisServer): Promise<WorkerList> {
  const list = answered(redis.shownUrl, readList(redis));
  if (await resolvesWithin(answerMs, list)) return list;
  throw new AssayError('redis-unavailable', `Redis at ${redis.shownUrl} does not answer.`);
}

async function readList(redis: RedisServer): Promise<WorkerList> {
  const [reports, connected] = await Promise.all([readReports(redis), connectedWorkers(redis)]);
  const seen = reports.map((report) => listedWorker(report, connected));
  const runs = await listQueues(
    redis,
    seen.filter(({ is_lost }) => !is_lost),
  );
  const names = new Set(runs.map(({ run_name }) => run_name));
  const listed = seen.map((worker) => withoutEnded(worker, names));
  const old = new Date(Date.now() - forgetMs).toISOString();
  const isForgotten = (one: ListedWorker) => one.is_lost && one.last_seen < old;
  for (const { name } of listed.filter(isForgotten)) await removeReport(redis, name);
  return {
    workers: listed.filter((one) => !isForgotten(one)),
    runs,
    jobs: runs.reduce((sum, run) => sum + run.jobs_waiting + run.jobs_active, 0),
  };
}

function listedWorker(
  { at, lock_ms, ...report }: WorkerReport,
  connected: ReadonlyMap<string, number> | undefined,
): ListedWorker {
  const now = Date.now();
  const reported = now - Date.parse(at);
  const idle = connected === undefined ? reported : connected.get(report.name);
  // Clocks of machines differ.
  const seen = new Date(now - Math.max(0, idle ?? reported)).toISOString();
  return { ...report, is_lost: isSilent(idle, lock_ms), last_seen: seen };
}

/** A lost worker does not hear of the ends of runs: nobody takes evaluations of those. */
function withoutEnded(worker: ListedWorker, names: ReadonlySet<string>): ListedWorker {
  if (!worker.is_lost) return worker;
  const runs = worker.runs.filter((name) => names.has(name));
  return runs.length === 0 ? { ...worker, runs, busy: 0, running: [] } : { ...worker, runs };
}

async function listQueues(
  redis: RedisServer,
  workers: readonly ListedWorker[],
): Promise<ListedQueue[]> {
  const listed: ListedQueue[] = [];
  for (const manifest of (await readRuns(redis)).values()) {
    const { run, requires, isPaused } = manifest;
    let [waiting, active] = [0, 0];
    const notOffered: string[] = [];
    for (const one of requires) {
      const counts = await withQueue(redis, queueName(run.runId, one), (queue) =>
        queue.getJobCounts('waiting', 'active'),
      );
      waiting += counts.waiting ?? 0;
      if (one.length > 0 && counts.waiting && !isOffered(one, workers))
        notOffered.push(one.join(','));
      active += counts.active ?? 0;
    }
    listed.push({
      run_id: run.runId,
      run_name: run.runName,
      is_paused: isPaused,
      ...(hasSilentCoordinator(manifest) && { is_silent: true }),
      jobs_waiting: waiting,
      not_offered: notOffered,
      jobs_active: active,
    });
  }
  return listed.sort((a, b) => (a.run_id < b.run_id ? -1 : 1));
}
