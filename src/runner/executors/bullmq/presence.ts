import { isObject, isTimeText, parseJson } from '../../../model/json.js';
import { isWholeUpTo, maxConcurrency } from '../../../model/option-ranges.js';
import type { RedisServer } from './redis-server.js';
import { namesOf } from './run-manifest.js';
import { withQueue } from './with-queue.js';

/** What a worker says of itself, in a hash of the project. */
export interface WorkerReport {
  readonly name: string;
  readonly host: string;
  readonly pid: number;
  /** Evaluations that it can run at a time. */
  readonly slots: number;
  readonly offers: readonly string[];
  /** Version of assay. */
  readonly assay: string;
  /** Version of the code in its checkout, such as a commit; absent if unknown. */
  readonly code?: string | undefined;
  /** Milliseconds after which others take its evaluations. */
  readonly lock_ms: number;
  /** ISO time of its start. */
  readonly since: string;
  /** Evaluations that run now. */
  readonly busy: number;
  /** The first of their ids. */
  readonly running: readonly string[];
  /** Evaluations that have finished since its start. */
  readonly finished: number;
  /** Names of the runs that it takes part in. */
  readonly runs: readonly string[];
  /** Runs that it refuses. */
  readonly refused: readonly { readonly run: string; readonly reason: string }[];
  /** ISO time of this report. */
  readonly at: string;
}

/** The ids that a report has. */
export const namedRunning = 3;

/** True if one of the workers has all that evaluations require. */
export function isOffered(
  requires: readonly string[],
  workers: readonly Pick<WorkerReport, 'offers'>[],
): boolean {
  return workers.some(({ offers }) => requires.every((name) => offers.includes(name)));
}

/** Saves what a worker says of itself. */
export async function saveReport(redis: RedisServer, report: WorkerReport): Promise<void> {
  await redis.client.hset(namesOf(redis).workers, report.name, JSON.stringify(report));
}

/** Removes a worker that has ended. */
export async function removeReport(redis: RedisServer, name: string): Promise<void> {
  await redis.client.hdel(namesOf(redis).workers, name);
}

/** What the workers of the project say of themselves, sorted by name; also those that are gone. */
export async function readReports(redis: RedisServer): Promise<WorkerReport[]> {
  const texts = await redis.client.hgetall(namesOf(redis).workers);
  const reports = Object.values(texts).flatMap((text) => parseReport(text) ?? []);
  return reports.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Milliseconds since the last sign of life of each worker that is connected, by name. BullMQ asks for jobs of a queue
 * that never has any, so the server knows. `undefined` if it does not tell.
 */
export async function connectedWorkers(
  redis: RedisServer,
): Promise<ReadonlyMap<string, number> | undefined> {
  return withQueue(redis, namesOf(redis).presence, async (queue) => {
    const clients = await queue.getWorkers();
    // BullMQ's answer where the server has no CLIENT LIST.
    if (clients.some(({ id }) => id === undefined)) return undefined;
    const idleOf = new Map<string, number>();
    for (const { rawname = '', idle } of clients) {
      const name = rawname.slice(rawname.indexOf(':w:') + 3);
      idleOf.set(name, Math.min(Number(idle) * 1000, idleOf.get(name) ?? Number.POSITIVE_INFINITY));
    }
    return idleOf;
  });
}

/** What a worker says of itself; `undefined` if it is no such text. */
export function parseReport(text: string): WorkerReport | undefined {
  const report = parseJson(text);
  return isReport(report) ? report : undefined;
}

function isReport(value: unknown): value is WorkerReport {
  return (
    isObject(value) &&
    [value.name, value.host, value.assay].every(isText) &&
    [value.since, value.at].every(isTimeText) &&
    isWholeUpTo(maxConcurrency, value.slots) &&
    [value.pid, value.lock_ms, value.busy, value.finished].every(Number.isFinite) &&
    [value.offers, value.running, value.runs].every((list) => isList(list) && list.every(isText)) &&
    isList(value.refused) &&
    value.refused.every((one) => isObject(one) && isText(one.run) && isText(one.reason)) &&
    (value.code === undefined || isText(value.code))
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
