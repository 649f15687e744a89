import type { Queue } from 'bullmq';
import { isFull } from './redis-problem.js';
import type { RedisServer } from './redis-server.js';
import { keptSeconds, namesOf, parseMessage, queueName, type RunManifest } from './run-manifest.js';

/** The runs of the project, by id. Those whose results Redis does not keep any more are removed. */
export async function readRuns(redis: RedisServer): Promise<ReadonlyMap<string, RunManifest>> {
  const texts = await redis.client.hgetall(namesOf(redis).runs);
  const runs = new Map<string, RunManifest>();
  for (const [run, text] of Object.entries(texts)) {
    const manifest = parseMessage<RunManifest>(text);
    if (manifest === undefined) continue;
    if (Date.now() - Date.parse(manifest.at) > keptSeconds * 1000) await removeRun(redis, manifest);
    else runs.set(run, manifest);
  }
  return runs;
}

/** Removes what Redis has of a run that nobody executes any more. */
export async function forgetRun(redis: RedisServer, run: string): Promise<void> {
  const text = await redis.client.hget(namesOf(redis).runs, run);
  const manifest = parseMessage<RunManifest>(text ?? '');
  if (manifest !== undefined) await removeRun(redis, manifest);
}

/** Does something with a queue over the connection that is there, and closes it. */
export async function withQueue<T>(
  redis: RedisServer,
  name: string,
  action: (queue: Queue) => Promise<T>,
): Promise<T> {
  const queue = new redis.bullmq.Queue(name, {
    connection: redis.client,
    prefix: redis.prefix,
    skipVersionCheck: true,
    skipMetasUpdate: true,
  });
  queue.on('error', () => undefined);
  try {
    return await action(queue);
  } finally {
    await queue.close();
  }
}

/** Removes a queue and all of its jobs. */
export async function removeQueue(redis: RedisServer, queue: Queue): Promise<void> {
  try {
    await queue.obliterate({ force: true });
  } catch (error) {
    if (!isFull(error)) throw error;
    // BullMQ pauses the queue first, which a server without memory refuses. Deleting makes room.
    const match = `${`${redis.prefix}:${queue.name}:`.replace(/[\\*?[\]]/g, '\\$&')}*`;
    for await (const keys of redis.client.scanStream({ match, count: 1_000 })) {
      if (keys.length > 0) await redis.client.unlink(keys);
    }
  }
}

/** Its coordinator has died, and nobody has gone on with it. */
async function removeRun(redis: RedisServer, { run, requires }: RunManifest): Promise<void> {
  for (const one of requires) {
    await withQueue(redis, queueName(run.runId, one), (queue) => removeQueue(redis, queue));
  }
  await redis.client.hdel(namesOf(redis).runs, run.runId);
}
