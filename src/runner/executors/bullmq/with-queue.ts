import type { Queue } from 'bullmq';
import { isFull } from './redis-problem.js';
import type { RedisServer } from './redis-server.js';

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
export function removeQueue(redis: RedisServer, name: string): Promise<void> {
  return withQueue(redis, name, async (queue) => {
    try {
      await queue.obliterate({ force: true });
    } catch (error) {
      // BullMQ pauses the queue first, which a server without memory refuses. Deleting makes room.
      if (!isFull(error) && !isBeingRemoved(error)) throw error;
      const match = `${`${redis.prefix}:${name}:`.replace(/[\\*?[\]]/g, '\\$&')}*`;
      for await (const keys of redis.client.scanStream({ match, count: 1_000 })) {
        if (keys.length > 0) await redis.client.unlink(keys);
      }
    }
  });
}

/** True if another process removes the queue, too, and with it that it is paused. */
function isBeingRemoved(error: unknown): boolean {
  return String(error).includes('non-paused queue');
}
