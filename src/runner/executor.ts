import type { StoredCall, StoredCalls } from '../model/calls/stored-calls.js';
import type { FileReads, FoundCode } from '../model/code/file-code.js';
import type { LookedAt } from '../model/code/looked-at.js';
import type { CallControl } from '../model-calls/call-limiter.js';
import type {
  DescribedValues,
  Descriptor,
  EmptyFile,
  EvalFile,
  ImportFailure,
  Inspecting,
  LoadedModules,
  LogStream,
  RunContext,
  Task,
} from '../protocol/messages.js';
import type { CallSettings } from '../recordings/recording.js';
import type { ResolvedRunConfig } from '../settings/resolve-run-config.js';
import type { FinishedResult } from './events.js';

/** The result of importing eval files. */
export interface LoadedFiles {
  readonly descriptors: readonly Descriptor[];
  readonly failures: readonly ImportFailure[];
  /** Files that were imported and have no evaluations. */
  readonly empty: readonly EmptyFile[];
  /** Hash of the modules that the files loaded; absent if it was not requested, or is unknown. */
  readonly code?: string | undefined;
  /** What they have loaded; absent if not requested. */
  readonly modules?: LoadedModules | undefined;
}

export interface LoadOptions {
  /** Also hash the modules. */
  readonly withCode?: boolean;
  /** Its code is asked for as soon as they are loaded: prepare for that meanwhile. */
  readonly findsCode?: boolean;
}

/** Source of an executor's tasks, and receiver of their progress. */
export interface Work {
  /** The next tasks, at most `count`; empty when there are no more. */
  take(count: number): readonly Task[];
  /** Number of tasks that an executor queues beyond the running ones, so that it never waits for the next. */
  readonly ahead: number;
  /** The number of tasks that can still be taken. */
  left(): number;
  onStarted(tasks: readonly Task[]): void;
  /** Called with tasks that were reported as started and will start again. */
  onReturned(tasks: readonly Task[]): void;
  /** May still be called after a stop. */
  onFinished(finished: readonly FinishedResult[]): void;
  /** Decides which calls may be made; absent where all may. */
  readonly calls?: CallControl | undefined;
  /** Called with the code of loaded files, when it is known; not if it was asked for before. */
  onCode?(codes: readonly FoundCode[]): void;
  /** Called when code of loaded files will not come, with the reason in a few words. */
  onCodeProblem?(problem: string): void;
  /**
   * Called with what evaluations looked at, before results that depend on it. `runs`: those whose tasks the process had, in
   * which one may hand on to another what it has read.
   */
  onReads?(reads: readonly FileReads[], runs: readonly number[]): void;
  /** Evaluations have written a file: through it, any other may know what they have read. */
  onWrote?(): void;
  onPrinted(task: Task, stream: LogStream, text: string): void;
  /** Calls of a finished task, named by its number, have begun or ended after it. */
  onCalled(task: number, calls: StoredCalls): void;
  /** These calls will be in no result: of lost attempts, or of imports. */
  onUnlisted(calls: readonly StoredCall[]): void;
  /** Attempts have been lost whose last calls are not known. */
  onCutOff(): void;
}

/**
 * Executes evaluations: in a pool of local processes, or on the workers of a queue. One executor serves one
 * execution.
 */
export interface Executor {
  /** Evaluations run on other machines, which have their own environment. Default false. */
  readonly isRemote?: boolean;
  /**
   * Imports the files and returns their evaluations. Files that fail are listed in `failures`; the others still
   * count.
   */
  load(files: readonly EvalFile[], options?: LoadOptions): Promise<LoadedFiles>;
  /** Passes on the authored values of loaded evaluations, a few at a time, in the order of the ids. */
  describe(
    ids: readonly string[],
    onValues: (values: readonly DescribedValues[]) => void,
  ): Promise<void>;
  /** The code of loaded files; files whose code cannot be told are missing. */
  fingerprint?(): Promise<readonly FoundCode[]>;
  /** Executes tasks of runs until none are left and none are running. */
  execute(runs: readonly RunContext[], work: Work): Promise<void>;
  /** Lets running tasks finish and starts no others; resolves when nothing can start any more. */
  pause(): Promise<void>;
  /** Continues after {@link pause}. */
  resume(): void;
  /** Aborts running tasks, and kills processes that do not end; resolves when nothing runs any more. */
  stop(): Promise<void>;
  /** Frees the resources of the executor. */
  close(): void;
  /** Calls that will be in no result, and of which no work was told: there was none yet. Call it after {@link close}. */
  takeUnlisted?(): readonly StoredCall[];
}

/** Receives paths that user code has looked at, or is about to write, for the first time in a process. */
type OnTouched = (looks: readonly LookedAt[], writes: readonly string[]) => void;

export interface LocalExecutorOptions {
  /** The working directory of evaluations. */
  readonly cwd: string;
  /** The environment of evaluations. */
  readonly env: NodeJS.ProcessEnv;
  /** Variables that a host which is already running does not have yet. */
  readonly addedEnv: { readonly [name: string]: string };
  /** Evaluations in flight at a time, over all processes. */
  readonly concurrency: number;
  /** Processes. Default: 1; if evaluations of several runs read files, 1 for each run. */
  readonly workers?: number | undefined;
  /** A process of its own for every attempt, regardless of `workers`. Default false. */
  readonly isolate?: boolean;
  /** Report output while evaluations run. */
  readonly streamLogs: boolean;
  readonly calls: CallSettings;
  /** The file that keeps what the analysis of modules found. Default: nothing is kept. */
  readonly codeCache?: string;
  /** Names of packages that keep no state between target and grading, beside the known ones. */
  readonly statelessPackages?: readonly string[] | undefined;
  /** List the modules that the files loaded. Default false. */
  readonly listsModules?: boolean;
  /** Receives the paths that user code looks at and writes. Default: nobody asks. */
  readonly onTouched?: OnTouched | undefined;
  /** Removes secrets from the output of ended processes. */
  readonly redact: (text: string) => string;
  /** Something was printed outside of any evaluation. */
  readonly onPrint: (stream: LogStream, text: string) => void;
  /** Something went wrong outside of any evaluation. */
  readonly onWarning: (text: string) => void;
  /** Seconds that importing one file may take without loading another module. Default 30. */
  readonly importTimeout?: number | undefined;
  /** Absolute path of the `tsconfig.json` for all files. Default: the nearest above each. */
  readonly tsconfig?: string | undefined;
  /** Open an inspector in the process, and end nothing in it that takes long. With one process only. */
  readonly inspect?: Inspecting | undefined;
  /** Milliseconds for which a start is tried again while the system has run out of something. Default 60,000. */
  readonly shortageDeadlineMs?: number;
}

export type MakeExecutor = (options: ExecutorOptions) => Executor;

/** Options of any executor; all but the local one share the rates of calls out to where evaluations run. */
export interface ExecutorOptions extends LocalExecutorOptions {
  readonly rates?: ResolvedRunConfig['rates'];
  /** The execution continues one that was interrupted, some of whose tasks may still run or have results. */
  readonly resumes: boolean;
  /** True for a saved run that has ended, which nobody continues. */
  readonly hasEnded: (run: string) => Promise<boolean>;
}
