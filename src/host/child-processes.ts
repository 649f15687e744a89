import childProcess, { type ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { mayMislead, type StartedProgram, unseenProgram } from '../model-calls/unseen-program.js';
import { namePattern } from '../text/name-pattern.js';
import type { CallRecord } from './calls/call-record.js';
import { replaceMethod } from './replace-method.js';

type Method = (this: never, ...given: never[]) => unknown;
type Run = (...given: unknown[]) => unknown;

/** How a process ended: with an error if it could not be started. */
type Ended = (error?: unknown) => void;

/** Looks at the processes that code starts. */
interface ProcessListener {
  /** A process is about to be started, or cannot be. */
  readonly onStart?: () => void;
  /** A process has started, or if it `blocks` is about to be; returns what to call when it has ended. */
  readonly onProgram?: (program: StartedProgram, blocks: boolean) => Ended | undefined;
}

const listeners: ProcessListener[] = [];

// Those of the user's code may be watched, or others, by the time that a process is started.
const environment = process.env;
let atStart: ReadonlyMap<string, string> = misleading(Object.entries(environment));

/** The variables that may make a program run others, as this process was started. */
export function startVariables(): ReadonlyMap<string, string> {
  return atStart;
}

/** For threads, which may be started with others. */
export function setStartVariables(variables: ReadonlyMap<string, string>): void {
  atStart = variables;
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
  replaceMethod(
    process as unknown as { binding: Method },
    'binding',
    (binding) =>
      function (this: unknown, ...given: unknown[]): unknown {
        const part = Reflect.apply(binding as Run, this, given);
        if (unseenParts.has(String(given[0]))) {
          for (const end of begin({ file: 'process.binding', args: [], changed: [] }, true)) end();
        }
        return part;
      },
  );
  syncBuiltinESMExports();
}

/** Parts of Node below its modules that start programs and connections which nothing sees. */
const unseenParts = new Set(['process_wrap', 'spawn_sync', 'tcp_wrap', 'pipe_wrap']);

function begin(program: StartedProgram, blocks: boolean): Ended[] {
  return listeners.flatMap(({ onProgram }) => onProgram?.(program, blocks) ?? []);
}

interface SpawnOptions {
  readonly file?: unknown;
  readonly args?: readonly unknown[];
  readonly envPairs?: readonly string[];
}

function ofSpawn({ file, args = [], envPairs = [] }: SpawnOptions): StartedProgram {
  const variables = envPairs.map((pair): [string, string] => {
    const at = pair.indexOf('=', 1);
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  return { file: String(file), args: args.slice(1).map(String), changed: changedIn(variables) };
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
  const changed = changedIn(Object.entries(env ?? environment));
  if (!shell) return { file: String(file), args, changed };
  const usual = process.platform === 'win32' ? 'cmd.exe' : '/bin/sh';
  const shellFile = typeof shell === 'string' ? shell : usual;
  return { file: shellFile, args: ['-c', [String(file), ...args].join(' ')], changed };
}

type Variables = readonly (readonly [name: string, value: string | undefined])[];

function misleading(variables: Variables): Map<string, string> {
  const found = new Map<string, string>();
  for (const [given, value] of variables) {
    const name = process.platform === 'win32' ? given.toUpperCase() : given;
    if (value !== undefined && mayMislead(name)) found.set(name, String(value));
  }
  return found;
}

/** Without a `PATH`, a program is looked up elsewhere; other variables do nothing where they are not set. */
function changedIn(variables: Variables): string[] {
  const now = misleading(variables);
  const changed = [...now].flatMap(([name, value]) => (atStart.get(name) === value ? [] : [name]));
  return now.has('PATH') === atStart.has('PATH') ? changed : [...changed, 'PATH'];
}

/** Records a program that the running code starts; `undefined` where nothing is recorded. `blocks`: nothing else runs until it has ended. */
type BeginProgram = (
  name: string,
  blocks: boolean,
) => Pick<CallRecord, 'left' | 'failed'> | undefined;

/** Records programs whose calls are not seen, from now on. Those of `notModels` call no models. */
export function observePrograms(begin: BeginProgram, notModels: readonly string[] = []): void {
  const patterns = notModels.map(namePattern);
  const isKnown = (name: string) => patterns.some((pattern) => pattern.test(name));
  watchProcesses({
    onProgram: (program, blocks) => {
      const name = unseenProgram(program, isKnown);
      const record = name === undefined ? undefined : begin(name, blocks);
      return record && ((error) => endOf(record, error));
    },
  });
}

function endOf(record: NonNullable<ReturnType<BeginProgram>>, error: unknown): void {
  const { code } = (error ?? {}) as { code?: unknown };
  // A program that failed may have made calls before; one that could not be started has made none.
  if (code === 'ENOENT' || code === 'EACCES') record.failed(error);
  else record.left();
}
