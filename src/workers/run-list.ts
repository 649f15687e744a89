import { keptSeconds, namesOf, queueName, type RedisServer, removeQueue } from './redis-server.js';
import { parseManifest, type RunManifest, silentMs } from './run-manifest.js';

/**
 * The runs of the project that have not ended, by id. Removes those whose results Redis does not keep any more, and those
 * that have ended and whose coordinator has not removed them.
 */
export async function readRuns(redis: RedisServer): Promise<ReadonlyMap<string, RunManifest>> {
  const texts = await redis.client.hgetall(namesOf(redis).runs);
  const runs = new Map<string, RunManifest>();
  for (const [run, text] of Object.entries(texts)) {
    const manifest = parseManifest(text, run);
    if (manifest === undefined) continue;
    if (ageOf(manifest) > (manifest.isEnded ? silentMs : keptSeconds * 1000)) {
      await removeRun(redis, manifest);
    } else if (!manifest.isEnded) runs.set(run, manifest);
  }
  return runs;
}

/** A run in the list; `undefined` if it is not there. */
export async function readRun(redis: RedisServer, run: string): Promise<RunManifest | undefined> {
  return parseManifest((await redis.client.hget(namesOf(redis).runs, run)) ?? '', run);
}

/** Saves the present state of a run in the list. */
export async function saveRun(redis: RedisServer, manifest: RunManifest): Promise<void> {
  const now: RunManifest = { ...manifest, at: new Date().toISOString() };
  await redis.client.hset(namesOf(redis).runs, manifest.run.runId, JSON.stringify(now));
}

/** Removes what Redis has of a run; it leaves the list last, so that nothing stays that nobody finds. */
export async function removeRun(redis: RedisServer, manifest: RunManifest): Promise<void> {
  await removeQueues(redis, manifest);
  await redis.client.hdel(namesOf(redis).runs, manifest.run.runId);
}

/** Removes the queues of a run, and their jobs. */
export async function removeQueues(
  redis: RedisServer,
  { run, requires }: RunManifest,
): Promise<void> {
  for (const one of requires) await removeQueue(redis, queueName(run.runId, one));
}

/** Removes runs that their coordinators could not remove: these are silent, and the runs have ended. */
export async function removeEndedRuns(
  redis: RedisServer,
  hasEnded: (run: string) => Promise<boolean>,
): Promise<void> {
  for (const [run, manifest] of await readRuns(redis)) {
    if (hasSilentCoordinator(manifest) && (await hasEnded(run))) await removeRun(redis, manifest);
  }
}

/** True for a run whose coordinator has not been heard of for a minute. */
export function hasSilentCoordinator(manifest: RunManifest): boolean {
  return ageOf(manifest) > silentMs;
}

/** Milliseconds since a run was saved in the list. */
function ageOf({ at }: RunManifest): number {
  return Date.now() - Date.parse(at);
}
