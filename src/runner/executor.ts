import type { StoredCall, StoredCalls } from '../model/calls/stored-calls.js';
import type { FileReads, FoundCode } from '../model/code/file-code.js';
import type { CallLimiter } from '../model-calls/call-limiter.js';
import type {
  DescribedValues,
  Descriptor,
  EmptyFile,
  EvalFile,
  ImportFailure,
  LoadedModules,
  LogStream,
  RunContext,
  Task,
} from '../protocol/messages.js';
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
  readonly calls?: CallLimiter | undefined;
  /** Called with the code of loaded files, when it is known; not if it was asked for before. */
  onCode?(codes: readonly FoundCode[]): void;
  /** Called when code of loaded files will not come, with the reason in a few words. */
  onCodeProblem?(problem: string): void;
  /** Called with what evaluations looked at, before results that depend on it. */
  onReads?(reads: readonly FileReads[]): void;
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
  /** Executes tasks until none are left and none are running. */
  execute(run: RunContext, work: Work): Promise<void>;
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
