import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isObject } from '../../../model/json.js';
import type { MakeExecutor } from '../../runner-dependencies.js';
import { RedisExecutor } from './redis-executor.js';
import { openRedis, type RedisServer } from './redis-server.js';
import { forgetRun } from './run-list.js';
import { within } from './within.js';

/** Milliseconds to wait for a server that is away. */
const awayMs = 5_000;

/** Executors whose evaluations run on the workers of a Redis server. */
export interface RedisExecutors {
  readonly makeExecutor: MakeExecutor;
  /** The server; the first call connects. Errors: those of `openRedis`. */
  connect(): Promise<RedisServer>;
  /** Removes what an execution that died has left of a run. A server that is away keeps it. */
  forget(run: string): Promise<void>;
  close(): Promise<void>;
}

/** Executors for the project of a folder. They connect when they load files. */
export function openRedisExecutors(
  url: string,
  cwd: string,
  onWarning: (text: string) => void,
): RedisExecutors {
  let opened: Promise<RedisServer> | undefined;
  async function open(): Promise<RedisServer> {
    const redis = await openProjectRedis(url, cwd);
    for (const warning of redis.warnings) onWarning(warning);
    return redis;
  }
  function connect(): Promise<RedisServer> {
    opened ??= open();
    return opened;
  }
  return {
    connect,
    makeExecutor: (options) => new RedisExecutor({ ...options, connect }),
    async forget(run) {
      const redis = await connect().catch(() => undefined);
      if (redis !== undefined) await within(awayMs, forgetRun(redis, run)).catch(() => undefined);
    },
    async close() {
      const redis = await opened?.catch(() => undefined);
      await redis?.close();
    },
  };
}

/** Connects to Redis for the project of a folder, with user and password from the environment. */
export function openProjectRedis(url: string, cwd: string): Promise<RedisServer> {
  return openRedis({
    url,
    username: process.env.ASSAY_REDIS_USERNAME,
    password: process.env.ASSAY_REDIS_PASSWORD,
    project: projectName(cwd),
  });
}

/** The name in the nearest `package.json`, or that of the folder. */
function projectName(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const name = nameIn(join(folder, 'package.json'));
    if (name !== undefined) return name;
    if (folder === dirname(folder)) return basename(cwd);
  }
}

function nameIn(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isObject(value) && typeof value.name === 'string' ? value.name : undefined;
  } catch {
    return undefined;
  }
}
