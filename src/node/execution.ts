import type { ReadableRun } from '../model/readable-run.js';
import type { RunJson } from '../model/run.js';
import type { RunEvent, RunListener } from '../runner/events.js';
import type { Started } from '../runner/execution/begin-execution.js';
import { openRunner } from '../runner/open-runner.js';
import { checkSetting, checkWhole, type ProjectOptions, readProject } from './project.js';

/** How evaluations are executed. */
export interface ExecuteOptions extends ProjectOptions {
  /** Evaluations in flight, 1 to 1000. Default: the settings', 8. */
  readonly concurrency?: number;
  /** Number of processes. Default 1, or one for each variant if they read files. */
  readonly workers?: number;
  /** A process of its own for every attempt. Default: the settings', false. */
  readonly isolate?: boolean;
  /** Budget of the run in US dollars; when it is spent, the rest is cancelled. Default: the settings', no limit. */
  readonly maxCost?: number;
  /** Seconds for one attempt; overrides the evaluations. */
  readonly timeout?: number;
  /** Trials of every evaluation, 1 to 1000; overrides the evaluations. */
  readonly trials?: number;
  /** Stops the run: unfinished evaluations are cancelled, finished results are kept and returned. */
  readonly signal?: AbortSignal;
  /** Called for everything that happens; results are in the log by then. */
  readonly onEvent?: RunListener;
}

export const executionOptionNames = [
  ...['cwd', 'resultsDir', 'settings', 'concurrency', 'workers', 'isolate', 'maxCost', 'timeout'],
  ...['trials', 'signal', 'onEvent'],
];

/** The options of any execution, whoever listens. */
type AnyExecutionOptions = Omit<ExecuteOptions, 'onEvent'> & { readonly onEvent?: unknown };

/** Reads the project, and prepares what runs its evaluations. */
export async function openExecution(options: AnyExecutionOptions, onEvent: RunListener) {
  const project = await readProject(options, {
    ...given('concurrency', checkSetting('concurrency', options.concurrency)),
    ...given('timeout', checkSetting('timeout', options.timeout)),
    ...given('trials', checkSetting('trials', options.trials)),
    ...given('isolate', checkSetting('isolate', options.isolate)),
    ...given('max_cost', checkSetting('max_cost', options.maxCost)),
  });
  const { cwd, addedEnv, settings } = project;
  const runner = await openRunner({
    ...{ cwd, addedEnv, onEvent },
    env: process.env,
    resultsDir: settings.effective('results_dir').value,
    recordingsDir: settings.effective('recordings_dir').value,
  });
  const work = {
    workers: checkWhole('workers', options.workers, 64),
    streamLogs: options.onEvent !== undefined,
  };
  return { ...project, runner, work };
}

function given<Key extends string, Value>(key: Key, value: Value | undefined) {
  return value === undefined ? {} : ({ [key]: value } as { [key in Key]: Value });
}

/** Waits until executions have ended, and then reads them. The signal, and an error of the listener, stop them. */
export async function untilEnded<Read>(
  started: readonly Started[],
  {
    events,
    signal,
  }: { readonly events: GuardedListener; readonly signal?: AbortSignal | undefined },
  read: () => Promise<Read>,
): Promise<Read> {
  const stop = () => {
    for (const { execution } of started) execution.stop();
  };
  events.onFailure(stop);
  signal?.addEventListener('abort', stop);
  if (signal?.aborted === true) stop();
  try {
    const ended = await Promise.allSettled(started.map(({ finished }) => finished));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
    events.throwFailure();
    return await read();
  } finally {
    signal?.removeEventListener('abort', stop);
    for (const { owner } of started) await owner.run.close();
  }
}

/** Calls the caller's listener; the first error of it stops the run and is thrown at the end. */
export class GuardedListener {
  readonly #listener: ((event: RunEvent, place: number) => void) | undefined;
  #failure: { readonly error: unknown } | undefined;
  #stop: () => void = () => undefined;

  constructor(listener: ((event: RunEvent, place: number) => void) | undefined) {
    this.#listener = listener;
  }

  readonly onEvent = (event: RunEvent, place: number): void => {
    if (this.#failure !== undefined) return;
    try {
      this.#listener?.(event, place);
    } catch (error) {
      this.#failure = { error };
      this.#stop();
    }
  };

  onFailure(stop: () => void): void {
    this.#stop = stop;
    if (this.#failure !== undefined) stop();
  }

  throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}

/** The whole run JSON. */
export async function readRun({
  head,
  entries,
}: Pick<ReadableRun, 'head' | 'entries'>): Promise<RunJson> {
  const results = [];
  for await (const { entry } of entries()) results.push(entry);
  return { ...head, results };
}
