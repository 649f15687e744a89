import { join } from 'node:path';
import type { CallControl, CallLimiterOptions } from '../model-calls/call-limiter.js';
import { tidyRecordings } from '../recordings/stored-recordings.js';
import type { ResolvedRunConfig } from '../settings/resolve-run-config.js';
import type { Store } from '../store/store.js';
import type { Redactor } from '../text/redact.js';
import type { RunListener } from './events.js';
import type { Executor, MakeExecutor } from './executor.js';

/** The dependencies of every operation of the runner. */
export interface RunnerDependencies {
  readonly store: Store;
  /** The working directory of evaluations, to which ids of results are relative. */
  readonly cwd: string;
  /** The environment of evaluations. */
  readonly env: NodeJS.ProcessEnv;
  /** The variables that the `.env` file added. */
  readonly addedEnv: { readonly [name: string]: string };
  readonly redact: (text: string) => string;
  /** Secrets of the environment, without credentials that only look like some. */
  readonly secrets: Redactor;
  /** What may be imported for a saved run. */
  readonly imports: ImportRules;
  /** Continue with the files that could be imported; `importProblem` names the others. */
  readonly toleratesImportFailures: boolean;
  /** Pause an execution when the disk is full, for the user to resume; without it, the execution ends. */
  readonly waitsForRoom: boolean;
  /** Report the paths that evaluations touch, as events. */
  readonly watches: boolean;
  readonly makeExecutor: MakeExecutor;
  /** Makes what limits the calls of an execution. Default: a limiter of its own. */
  readonly limitCalls?: (options: CallLimiterOptions) => CallControl;
  readonly onEvent: RunListener;
}

/** Options of an execution. */
export interface ExecutionSettings {
  readonly config: ResolvedRunConfig;
  /** The number of host processes. Default: as many as needed. */
  readonly workers?: number | undefined;
  /** Report output of evaluations while they run. */
  readonly streamLogs: boolean;
}

/** Creates a new executor, whose processes load the current code and cases: to look at them, to execute them, or to resume an execution. */
export function createExecutor(
  runner: RunnerDependencies,
  settings: ExecutionSettings,
  purpose: 'look' | 'execute' | 'resume',
): Executor {
  const since = Date.now();
  const { recordings } = settings.config.calls;
  if (purpose !== 'look' && recordings !== undefined) tidyRecordings(recordings);
  return runner.makeExecutor({
    cwd: runner.cwd,
    env: runner.env,
    addedEnv: runner.addedEnv,
    concurrency: settings.config.concurrency,
    workers: settings.workers,
    isolate: settings.config.isolate ?? false,
    importTimeout: settings.config.importTimeout,
    tsconfig: settings.config.tsconfig,
    streamLogs: settings.streamLogs,
    codeCache: join(runner.store.root, '.code-cache.json'),
    statelessPackages: settings.config.statelessPackages,
    calls: settings.config.calls,
    rates: settings.config.rates,
    resumes: purpose === 'resume',
    hasEnded: async (run) => {
      const runs = await runner.store.listRuns();
      return runs.some(({ run_id, state }) => run_id === run && state === 'finished');
    },
    redact: runner.redact,
    ...(runner.watches && {
      onTouched: (looks, writes) => runner.onEvent({ type: 'touched', looks, writes, since }),
    }),
    onPrint: (stream, text) => runner.onEvent({ type: 'printed', stream, text }),
    onWarning: (text) => runner.onEvent({ type: 'warned', text }),
  });
}

/** What may be imported although nobody but a saved run or a message from Redis asks for it. */
export interface ImportRules {
  /** Absolute folders in which eval files are searched, and files that the user has named. */
  readonly roots: readonly string[];
  /** Absolute folders with data of assay: results and recordings. */
  readonly leftOut: readonly string[];
}
