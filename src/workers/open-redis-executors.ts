import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isObject } from '../model/json.js';
import type { MakeExecutor } from '../runner/executor.js';
import { RedisExecutor, type RedisExecutorOptions } from './redis-executor.js';
import { type RedisNotes, resolvesWithin } from './redis-problem.js';
import { openRedis, type RedisServer } from './redis-server.js';
import { readRun, removeRun } from './run-list.js';

/** Milliseconds to wait for a server that is away. */
const awayMs = 5_000;

const notes: Omit<RedisNotes, 'onWarning'> = {
  lost: 'The connection to Redis is lost. assay keeps trying; workers go on with what they have.',
  full: 'Redis is full (maxmemory). The run waits until there is room; nothing is lost.',
};

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
  { anyNode }: Pick<RedisExecutorOptions, 'anyNode'> = {},
): RedisExecutors {
  let opened: Promise<RedisServer> | undefined;
  /** Of executions that have ended. */
  const removals = new Set<Promise<void>>();
  async function connect(): Promise<RedisServer> {
    // The next execution may be of the same run.
    await Promise.all(removals);
    opened ??= openProjectRedis(url, cwd, { ...notes, onWarning });
    return opened;
  }
  function onEnding(removal: Promise<void>): void {
    const tracked = removal.finally(() => removals.delete(tracked));
    removals.add(tracked);
  }
  async function remove(run: string): Promise<void> {
    const redis = await connect();
    const manifest = await readRun(redis, run);
    if (manifest !== undefined) await removeRun(redis, manifest);
  }
  return {
    connect,
    makeExecutor: (options) => new RedisExecutor({ ...options, anyNode, connect, onEnding }),
    async forget(run) {
      await resolvesWithin(awayMs, remove(run)).catch(() => undefined);
    },
    async close() {
      await Promise.all(removals);
      const redis = await opened?.catch(() => undefined);
      await redis?.close();
    },
  };
}

/** Connects to Redis for the project of a folder, with user and password from the environment. */
export function openProjectRedis(
  url: string,
  cwd: string,
  notes?: RedisNotes,
): Promise<RedisServer> {
  const username = process.env.ASSAY_REDIS_USERNAME;
  const password = process.env.ASSAY_REDIS_PASSWORD;
  return openRedis({ url, username, password, project: projectName(cwd) }, notes);
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
