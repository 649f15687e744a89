import type { JsonObject } from '../model/result.js';
import type { RunContext } from '../protocol/messages.js';
import type { ResolvedRunConfig } from '../settings/run-configs.js';
import type { RunOwner } from '../store/run-owner.js';
import type { Store } from '../store/store.js';
import type { DiscoveryError } from './discovery-error.js';
import type { RunListener } from './events.js';
import type { Execution, ExecutionOutcome } from './execution.js';
import type { Executor } from './executor.js';
import { LocalExecutor } from './executors/local/local-executor.js';

/** What every operation of the runner works with. */
export interface Runner {
  readonly store: Store;
  /** The working directory of evaluations; ids of results are relative to it. */
  readonly cwd: string;
  /** The environment of evaluations. */
  readonly env: NodeJS.ProcessEnv;
  /** What the `.env` file has added to it. */
  readonly addedEnv: { readonly [name: string]: string };
  readonly redact: (text: string) => string;
  /** Absolute folders and files; evals that a saved run names are imported only from there. */
  readonly roots: readonly string[];
  /** Whether what could be imported is run although some files could not; `importProblem` names those. */
  readonly toleratesImportFailures: boolean;
  /** Whether an execution is paused when the disk is full, because somebody is there to resume it; else it ends. */
  readonly waitsForRoom: boolean;
  readonly onEvent: RunListener;
}

/** How an execution is to be run. */
export interface ExecutionSettings {
  readonly config: ResolvedRunConfig;
  /** Host processes. */
  readonly workers: number;
  /** Report what evaluations print while they run. */
  readonly streamLogs: boolean;
}

/** An execution under way. */
export interface Started {
  readonly run_id: string;
  readonly run_name: string;
  readonly owner: RunOwner;
  readonly execution: Execution;
  /** Resolves when the log is closed. */
  readonly finished: Promise<ExecutionOutcome>;
  /** Names eval files that could not be imported, where that is tolerated. */
  readonly importProblem?: DiscoveryError | undefined;
}

/** A fresh executor: its processes see today's code and cases. */
export function createExecutor(runner: Runner, settings: ExecutionSettings): Executor {
  return new LocalExecutor({
    cwd: runner.cwd,
    env: runner.env,
    addedEnv: runner.addedEnv,
    concurrency: settings.config.concurrency,
    workers: settings.workers,
    isolate: settings.config.isolate ?? false,
    streamLogs: settings.streamLogs,
    redact: runner.redact,
    onPrint: (stream, text) => runner.onEvent({ type: 'printed', stream, text }),
    onWarning: (text) => runner.onEvent({ type: 'warned', text }),
  });
}

/** What evaluations are told about their run. */
export function runContext(owner: RunOwner, params: JsonObject): RunContext {
  const { run_id, run_name, session_name } = owner.run.header;
  return { runId: run_id, runName: run_name, sessionName: session_name, params };
}
