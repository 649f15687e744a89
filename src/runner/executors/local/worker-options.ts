import type { StoredCall, StoredCalls } from '../../../model/calls/stored-calls.js';
import type { FileReads } from '../../../model/code/file-code.js';
import type { LookedAt } from '../../../model/code/looked-at.js';
import type { CallLimiter } from '../../../model-calls/call-limiter.js';
import type { LogStream, Task } from '../../../protocol/messages.js';
import type { CallSettings } from '../../../recordings/recording.js';
import type { FinishedResult } from '../../events.js';

/** Receives paths that user code has looked at, or is about to write, for the first time in a process. */
export type OnTouched = (looks: readonly LookedAt[], writes: readonly string[]) => void;

export interface WorkerSettings {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly addedEnv: { readonly [name: string]: string };
  readonly calls: CallSettings;
  /** The file that keeps what the analysis of modules found. */
  readonly codeCache?: string | undefined;
  readonly statelessPackages?: readonly string[] | undefined;
  readonly listsModules?: boolean | undefined;
  readonly onTouched?: OnTouched | undefined;
  /** Evaluations that run at a time. */
  readonly slots: number;
  /** Every task has a process for itself; with one slot only. */
  readonly isolate: boolean;
  readonly streamLogs: boolean;
  readonly redact: (text: string) => string;
  readonly importDeadlineMs: number;
  /** Milliseconds for which a start is tried again while the system has run out of descriptors, processes or memory. */
  readonly shortageDeadlineMs: number;
  /** Something was printed outside of any evaluation. */
  readonly onPrint: (stream: LogStream, text: string) => void;
  /** Something went wrong outside of any evaluation. */
  readonly onWarning: (text: string) => void;
  /** These calls will be in no result: of lost attempts, or of imports. */
  readonly onUnlisted: (calls: readonly StoredCall[]) => void;
}

/** Tasks that ran when their process ended. */
export interface LostTasks {
  /** Id of the evaluation that blocked it, if known. */
  readonly holder: string | undefined;
  /** Tasks that did not end it. */
  readonly innocent: readonly Task[];
  /** Tasks that may have ended it. */
  readonly suspects: readonly Task[];
  /** Seconds that they had run, together. */
  readonly lostSeconds: number;
}

/** Callbacks of a worker about its tasks. */
export interface WorkerHandlers {
  readonly onStarted: (tasks: readonly Task[]) => void;
  readonly onFinished: (finished: readonly FinishedResult[]) => void;
  /** Tasks that were announced as started, but have to wait for slow starts before them. */
  readonly onPostponed: (tasks: readonly Task[]) => void;
  /** Tasks that have not started. */
  readonly onReturned: (tasks: readonly Task[]) => void;
  /** Tasks that ran when their process ended, and have to run again. */
  readonly onLost: (lost: LostTasks) => void;
  /** Decides which calls may be made; absent where all may. */
  readonly calls: CallLimiter | undefined;
  /** What evaluations looked at, before their results. */
  readonly onReads?: (reads: readonly FileReads[]) => void;
  readonly onPrinted: (task: Task, stream: LogStream, text: string) => void;
  /** Calls of a finished task have ended; the task is named by its number. */
  readonly onCalled: (task: number, calls: StoredCalls) => void;
  /** The worker can take more tasks, or is idle. */
  readonly onRoom: () => void;
  /** The worker cannot run anything. */
  readonly onFailure: (error: unknown) => void;
}
