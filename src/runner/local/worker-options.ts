import type { StoredCall } from '../../model/calls/stored-calls.js';
import type { Task } from '../../protocol/messages.js';
import type { LocalExecutorOptions, Work } from '../executor.js';

/** Options of the processes of an executor. */
export interface WorkerSettings
  extends Omit<LocalExecutorOptions, 'concurrency' | 'workers' | 'importTimeout' | 'tsconfig'> {
  /** Evaluations that run at a time. */
  readonly slots: number;
  /** Every task has a process for itself; with one slot only. */
  readonly isolate: boolean;
  readonly importDeadlineMs: number;
  readonly shortageDeadlineMs: number;
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

/** What a worker reports. */
export interface WorkerHandlers {
  /** Receives the progress of tasks. */
  readonly work: Work;
  /** Tasks that have not started. */
  readonly onReturned: (tasks: readonly Task[]) => void;
  /** Tasks that ran when their process ended, and have to run again. */
  readonly onLost: (lost: LostTasks) => void;
  /** The worker can take more tasks, or is idle. */
  readonly onRoom: () => void;
  /** The worker cannot run anything. */
  readonly onFailure: (error: unknown) => void;
}
