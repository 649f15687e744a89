import { isNumber, isStrings, isTimeText, parseJson } from '../model/json.js';
import { isWholeUpTo, maxConcurrency } from '../model/option-ranges.js';
import { type Fitting, isText, listOf, object, optional } from '../model/shapes.js';
import { namesOf, type RedisServer, withQueue } from './redis-server.js';

/** A worker asks for jobs every few seconds, so the server has heard of it within this time. */
const leastLostMs = 15_000;

const isReport = object({
  name: isText,
  host: isText,
  pid: isNumber,
  /** Evaluations that it can run at a time. */
  slots: isSlots,
  offers: isStrings,
  /** Version of assay. */
  assay: isText,
  /** Version of the code in its checkout, such as a commit; absent if unknown. */
  code: optional(isText),
  /** Milliseconds after which others take its evaluations. */
  lock_ms: isNumber,
  /** ISO time of its start. */
  since: isTimeText,
  /** Evaluations that run now. */
  busy: isNumber,
  /** The first of their ids. */
  running: isStrings,
  /** Evaluations that have finished since its start. */
  finished: isNumber,
  /** Names of the runs that it takes part in. */
  runs: isStrings,
  refused: listOf(object({ run: isText, reason: isText })),
  /** ISO time of this report. */
  at: isTimeText,
});

/** What a worker says of itself, in a hash of the project. */
export interface WorkerReport extends Fitting<typeof isReport> {}

/** True for a number of evaluations that a worker can run at a time. */
export function isSlots(value: unknown): value is number {
  return isWholeUpTo(maxConcurrency, value);
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
function parseReport(text: string): WorkerReport | undefined {
  const report = parseJson(text);
  return isReport(report) ? report : undefined;
}

/** True if a worker has been silent for so long that it is lost. */
export function isSilent(idleMs: number | undefined, lockMs: number): boolean {
  return idleMs === undefined || idleMs > Math.max(lockMs, leastLostMs);
}

/** Deletes a field of a hash if it has this value. */
const deleteIfSame =
  "if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] then redis.call('HDEL', KEYS[1], ARGV[1]) end";

/** Takes a name that no other worker of the project has: the wanted one, or that with a number. */
export async function takeName(redis: RedisServer, wanted: string): Promise<string> {
  const { client } = redis;
  const { workers } = namesOf(redis);
  const [texts, connected] = await Promise.all([client.hgetall(workers), connectedWorkers(redis)]);
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${wanted}-${count}`;
    const text = texts[name];
    // Several workers may start at the same time: whoever writes first has the name.
    if (text !== undefined && isLost(text, connected)) {
      await client.eval(deleteIfSame, 1, workers, name, text);
    }
    if ((await client.hsetnx(workers, name, '{}')) === 1) return name;
  }
}

/** True for the report of a worker that has ended without a word. */
function isLost(text: string, connected: ReadonlyMap<string, number> | undefined): boolean {
  const report = parseReport(text);
  if (report === undefined) return false;
  const { name, at, lock_ms } = report;
  const idle = connected === undefined ? Date.now() - Date.parse(at) : connected.get(name);
  return isSilent(idle, lock_ms);
}
