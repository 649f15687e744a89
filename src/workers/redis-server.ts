import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import type * as Bull from 'bullmq';
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { AssayError } from '../errors.js';
import {
  isFull,
  RedisErrors,
  type RedisNotes,
  redisProblem,
  resolvesWithin,
} from './redis-problem.js';

/** How to reach a Redis server. */
export interface RedisTarget {
  /** `redis://` or `rediss://` (TLS), with host, port and number of the database. */
  readonly url: string;
  /** Used where the URL has no user. */
  readonly username?: string | undefined;
  /** Used where the URL has no password. */
  readonly password?: string | undefined;
  /** Names the project, so that runs of others in the same server stay apart. */
  readonly project: string;
  /** Milliseconds until what accepts a connection must have answered. Default 8,000. */
  readonly greetMs?: number;
}

/** Options of a connection, as ioredis and BullMQ take them. */
interface RedisConnection {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: { readonly servername?: string };
  readonly connectTimeout: number;
  readonly maxRetriesPerRequest: null;
  readonly enableReadyCheck: boolean;
  readonly retryStrategy: (times: number) => number;
}

/** A Redis server, connected, and the libraries that talk to it. */
export interface RedisServer {
  /** Loaded when it is first used, which takes a while. */
  readonly bullmq: typeof Bull;
  /** For everything but queues. */
  readonly client: Redis;
  /** For the queues of BullMQ, which open connections of their own. */
  readonly connection: RedisConnection;
  /** The prefix of all keys of the project. */
  readonly prefix: string;
  /** The URL without user and password. */
  readonly shownUrl: string;
  readonly errors: RedisErrors;
  /** Another connection, for messages. Its commands wait while the server is away. */
  subscriber(): Redis;
  /** Calls a listener when the connection was lost and is back; returns a function that ends this. */
  onBack(listener: () => void): () => void;
  close(): Promise<void>;
}

const connectTimeoutMs = 5_000;
/** The oldest version that BullMQ works with. */
const oldestVersion = [6, 2] as const;

const silent: RedisNotes = { lost: '', full: '', onWarning: () => undefined };

/**
 * Connects to Redis.
 * @throws {AssayError} `usage` for a wrong URL, `redis-unavailable` for everything else
 */
export async function openRedis(
  target: RedisTarget,
  notes: RedisNotes = silent,
): Promise<RedisServer> {
  const { greetMs = 8_000 } = target;
  const { ioredis, loadQueues } = loadLibraries();
  const url = parseUrl(target.url);
  const shownUrl = `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}`;
  const connection = connectionOf(url, target);
  const client = new ioredis.Redis({ ...connection, lazyConnect: true, retryStrategy: () => null });
  let last: Error | undefined;
  client.on('error', (error) => {
    last = error;
  });
  let info = '';
  const greet = async () => {
    await client.connect();
    // The client itself goes on with database 0 where there is no such database.
    if (connection.db > 0) await client.select(connection.db);
    info = await client.info();
  };
  try {
    if (!(await resolvesWithin(greetMs, greet()))) {
      throw Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' });
    }
    for (const text of judgeServer(info)) notes.onWarning(text);
    // From now on it connects again by itself. So do its duplicates, also if the first attempt fails.
    client.options.retryStrategy = retryMs;
    client.options.lazyConnect = false;
    const errors = new RedisErrors(shownUrl, notes);
    const leave = reportConnection(client, errors, notes);
    return {
      get bullmq() {
        return loadQueues();
      },
      client,
      connection,
      prefix: `assay:{${target.project}}`,
      shownUrl,
      errors,
      subscriber() {
        // ioredis sends a subscription while it still asks whether the server is ready, which the server then refuses to
        // answer: the connection closes, and comes back without the subscription. This server has answered already.
        const subscriber = client.duplicate({ enableReadyCheck: false });
        subscriber.on('error', () => undefined);
        return subscriber;
      },
      onBack(listener) {
        // At the start it is ready already.
        client.on('ready', listener);
        return () => client.off('ready', listener);
      },
      async close() {
        leave();
        client.disconnect();
      },
    };
  } catch (error) {
    client.disconnect();
    throw error instanceof AssayError ? error : redisProblem(last ?? error, shownUrl);
  }
}

/** Says that the connection is lost, why the server refuses another, and that it is back; returns a function that ends this. */
function reportConnection(
  client: Redis,
  errors: RedisErrors,
  { lost, onWarning }: RedisNotes,
): () => void {
  let isLost = false;
  const onClose = () => {
    // Each attempt to connect ends so.
    if (!isLost) onWarning(lost);
    isLost = true;
  };
  const onReady = () => {
    if (isLost) onWarning('Redis is back.');
    isLost = false;
    errors.clear();
  };
  const onError = (error: unknown) => errors.report(error);
  client.on('close', onClose).on('ready', onReady).on('error', onError);
  return () => client.off('close', onClose).off('ready', onReady).off('error', onError);
}

function loadLibraries() {
  try {
    // Both are CommonJS: an import would look for their exports in each of their files first.
    const require = createRequire(import.meta.url);
    const queues = require.resolve('bullmq');
    const ioredis: typeof import('ioredis') = require('ioredis');
    return { ioredis, loadQueues: (): typeof Bull => require(queues) };
  } catch (error) {
    throw new AssayError(
      'redis-unavailable',
      'Running over Redis needs the packages bullmq and ioredis.',
      {
        cause: error,
        hints: ['Install them: npm install --save-dev bullmq ioredis@5'],
      },
    );
  }
}

function parseUrl(text: string): URL {
  const hints = ['Examples: redis://127.0.0.1:6379, rediss://queue.example.com:6380/2 (TLS)'];
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isRedis = url !== undefined && ['redis:', 'rediss:'].includes(url.protocol);
  if (!isRedis || url.hostname === '' || !isDecodable(`${url.username}${url.password}`)) {
    throw new AssayError('usage', 'The address of Redis is not a redis:// or rediss:// URL.', {
      hints,
    });
  }
  if (!/^\/?\d*$/.test(url.pathname)) {
    throw new AssayError('usage', 'The path of a Redis URL is the number of a database.', {
      hints,
    });
  }
  return url;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function connectionOf(url: URL, { username, password }: RedisTarget): RedisConnection {
  const user = decodeURIComponent(url.username) || username;
  const secret = decodeURIComponent(url.password) || password;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return {
    host,
    port: Number(url.port || 6379),
    db: Number(url.pathname.slice(1)),
    ...(user && { username: user }),
    ...(secret && { password: secret }),
    // TLS has no names that are addresses.
    ...(url.protocol === 'rediss:' && { tls: isIP(host) === 0 ? { servername: host } : {} }),
    connectTimeout: connectTimeoutMs,
    // BullMQ requires it: commands wait for the connection instead of failing.
    maxRetriesPerRequest: null,
    enableReadyCheck: true,
    retryStrategy: retryMs,
  };
}

function retryMs(times: number): number {
  return Math.min(times * 200, 2_000);
}

function judgeServer(info: string): string[] {
  const field = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
  const version = field('redis_version') ?? '';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < oldestVersion[0] || (major === oldestVersion[0] && minor < oldestVersion[1])) {
    throw new AssayError(
      'redis-unavailable',
      `Redis ${version} is too old: assay needs ${oldestVersion.join('.')} or newer.`,
    );
  }
  const policy = field('maxmemory_policy');
  return policy === undefined || policy === 'noeviction'
    ? []
    : [
        `Redis may drop queued work when its memory is full: its maxmemory-policy is ${policy}. Set it to noeviction.`,
      ];
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

/** Seconds that Redis keeps what nobody takes: results of jobs, and runs whose coordinator has died. */
export const keptSeconds = 7 * 24 * 3600;

/** Names of keys, channels and queues of a project. */
export function namesOf({ prefix }: RedisServer) {
  return {
    /** Hash: manifests by run. */
    runs: `${prefix}:runs`,
    /** Hash: details by worker. */
    workers: `${prefix}:workers`,
    toWorkers: `${prefix}:to-workers`,
    toCoordinators: `${prefix}:to-coordinators`,
    /** Prefix of values that are too large for a job. */
    values: `${prefix}:values`,
    /** A queue without jobs that workers listen to, so that Redis knows who is there. */
    presence: 'workers',
  };
}

/** The name of the queue for the evaluations of a run that require this of a worker. */
export function queueName(run: string, requires: readonly string[]): string {
  return ['run', run, ...requires].join('-');
}
