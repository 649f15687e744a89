import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../package-root.js';
import { markVariable } from '../../processes/process-tree.js';
import { bootVariables } from '../../protocol/host-variables.js';
import type { RunnerMessage } from '../../protocol/messages.js';

const hostEntry = fileURLToPath(new URL('dist/host-bundle/main.cjs', packageRoot));

let prestarted: ChildProcess | undefined;
/** The environment in which it was started. */
let prestartedIn: NodeJS.ProcessEnv = {};

/**
 * Starts a host ahead of time, unless there is one, so that it boots while the caller does something else. The next
 * {@link spawnHost} uses it; if there is none, it ends with this process. `findsCode`: it prepares for that, too.
 */
export function prestartHost({ findsCode = false }: { readonly findsCode?: boolean } = {}): void {
  if (isAlive(prestarted)) return;
  try {
    const early = spawnProcess(process.env);
    // The caller checks that the process is alive.
    early.on('error', () => undefined);
    if (early.pid === undefined) return;
    const input = early.stdio[3] as Writable;
    // A host that ends early is noticed when it is used.
    input.on('error', () => undefined);
    const prepare: RunnerMessage = { type: 'prepare' };
    if (findsCode) input.write(`${JSON.stringify(prepare)}\n`);
    setReferenced(early, false);
    prestarted = early;
    prestartedIn = { ...process.env };
  } catch {
    // The next attempt reports the error.
  }
}

/**
 * Spawns a host process: the leader of its own process group, with the channel's two pipes as descriptors 3 and 4.
 * A process without a `pid` could not be started: it has no pipes and emits `error`. Throws when there is no
 * memory.
 */
export function spawnHost(env: NodeJS.ProcessEnv): ChildProcess {
  const early = prestarted;
  prestarted = undefined;
  if (early === undefined || !isAlive(early)) return spawnProcess(env);
  // It gets variables that are new when it loads, but none can be taken from it.
  const isTaken = Object.keys(prestartedIn).some((name) => env[name] === undefined);
  if (isTaken || bootVariables.some((name) => env[name] !== prestartedIn[name])) {
    early.kill('SIGKILL');
    return spawnProcess(env);
  }
  setReferenced(early, true);
  return early;
}

function isAlive(child: ChildProcess | undefined): boolean {
  return child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/**
 * Boots in a folder that cannot disappear: without a working directory, Node's threads do not start and block
 * forever. The host changes to the user's folder when it loads. With NODE_OPTIONS it boots there, because these may
 * contain relative paths.
 */
function spawnProcess(env: NodeJS.ProcessEnv): ChildProcess {
  const mark = `${process.pid}-${process.hrtime.bigint()};`;
  const child = spawn(process.execPath, [...nodeOptions(), hostEntry, String(process.pid), mark], {
    ...(env.NODE_OPTIONS ? {} : { cwd: fileURLToPath(packageRoot) }),
    // After the marks of hosts that run this process: it must end with them.
    env: { ...env, [markVariable]: `${env[markVariable] ?? ''}${mark}` },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  marks.set(child, mark);
  return child;
}

const marks = new WeakMap<ChildProcess, string>();

/** The mark of a host's descendants in their environment. */
export function markOf(host: ChildProcess): string {
  return marks.get(host) ?? '';
}

/**
 * V8 compiles hot code and collects garbage in four threads beside the main one. With fewer processors, they
 * compete with the main threads of host and runner, so there are fewer of them.
 */
function nodeOptions(): string[] {
  const others = Math.max(1, availableParallelism() - 1);
  return others < 4 ? [`--v8-pool-size=${others}`] : [];
}

/** Sets whether the process and its pipes keep this process alive. */
export function setReferenced(child: ChildProcess, referenced: boolean): void {
  for (const handle of [child, ...child.stdio] as (Partial<Referenced> | null)[]) {
    if (referenced) handle?.ref?.();
    else handle?.unref?.();
  }
}

interface Referenced {
  ref(): void;
  unref(): void;
}
