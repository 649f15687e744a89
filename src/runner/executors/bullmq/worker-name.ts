import { isSilent } from './list-workers.js';
import { connectedWorkers, parseReport } from './presence.js';
import type { RedisServer } from './redis-server.js';
import { namesOf } from './run-manifest.js';

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
