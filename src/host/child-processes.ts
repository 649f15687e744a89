import childProcess, { type ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import type { StartedProgram } from '../calls/unseen-program.js';
import { replaceMethod } from './calls/replace-method.js';

type Method = (this: never, ...given: never[]) => unknown;
type Run = (...given: unknown[]) => unknown;

/** How a process ended: with an error if it could not be started. */
type Ended = (error?: unknown) => void;

/** Looks at the processes that code starts. */
export interface ProcessListener {
  /** A process is about to be started, or cannot be. */
  readonly onStart?: () => void;
  /** A process has started, or if it `blocks` is about to be; returns what to call when it has ended. */
  readonly onProgram?: (program: StartedProgram, blocks: boolean) => Ended | undefined;
}

const listeners: ProcessListener[] = [];

// Those of the user's code may be watched, or others, by the time that a process is started.
const environment = process.env;
let ownPath = pathIn(environment);

/** The `PATH` with which this process was started. */
export function startPath(): string | undefined {
  return ownPath;
}

/** For threads, which may be started with another one. */
export function setStartPath(path: string | undefined): void {
  ownPath = path;
}

/** Calls a listener for each process that is started from now on, in whatever way and by whatever package. */
export function watchProcesses(listener: ProcessListener): void {
  listeners.push(listener);
  if (listeners.length > 1) return;
  replaceMethod(
    childProcess.ChildProcess.prototype as unknown as { spawn: Method },
    'spawn',
    (spawn) =>
      function (this: ChildProcess, ...given: unknown[]): unknown {
        for (const { onStart } of listeners) onStart?.();
        const result = Reflect.apply(spawn as Run, this, given);
        // It has no id where it could not be started.
        if (this.pid === undefined) return result;
        const ended = begin(ofSpawn(given[0] as SpawnOptions), false);
        for (const end of ended) this.once('exit', () => end());
        return result;
      },
  );
  for (const name of ['spawnSync', 'execFileSync', 'execSync'] as const) {
    replaceMethod(
      childProcess as unknown as Record<typeof name, Method>,
      name,
      (run) =>
        function (this: unknown, ...given: unknown[]): unknown {
          for (const { onStart } of listeners) onStart?.();
          const ended = begin(ofSync(name, given), true);
          let error: unknown;
          try {
            const result = Reflect.apply(run as Run, this, given);
            error = (result as { error?: unknown } | null)?.error;
            return result;
          } catch (thrown) {
            error = thrown;
            throw thrown;
          } finally {
            for (const end of ended) end(error);
          }
        },
    );
  }
  syncBuiltinESMExports();
}

function begin(program: StartedProgram, blocks: boolean): Ended[] {
  return listeners.flatMap(({ onProgram }) => onProgram?.(program, blocks) ?? []);
}

interface SpawnOptions {
  readonly file?: unknown;
  readonly args?: readonly unknown[];
  readonly envPairs?: readonly string[];
}

function ofSpawn({ file, args = [], envPairs = [] }: SpawnOptions): StartedProgram {
  const path = envPairs.find((pair) => /^path=/i.test(pair))?.slice('path='.length);
  return { file: String(file), args: args.slice(1).map(String), hasOwnPath: path === ownPath };
}

interface SyncOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly shell?: unknown;
}

/** With a shell, the program is the shell. */
function ofSync(name: string, [file, ...more]: readonly unknown[]): StartedProgram {
  const args = Array.isArray(more[0]) ? more[0].map(String) : [];
  const options = more.find((one) => typeof one === 'object' && !Array.isArray(one));
  const { env, shell = name === 'execSync' } = (options ?? {}) as SyncOptions;
  const hasOwnPath = pathIn(env ?? environment) === ownPath;
  if (!shell) return { file: String(file), args, hasOwnPath };
  const usual = process.platform === 'win32' ? 'cmd.exe' : '/bin/sh';
  const shellFile = typeof shell === 'string' ? shell : usual;
  return { file: shellFile, args: ['-c', [String(file), ...args].join(' ')], hasOwnPath };
}

function pathIn(env: NodeJS.ProcessEnv): string | undefined {
  return env.PATH ?? env.Path;
}
