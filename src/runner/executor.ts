import type {
  DescribedValues,
  Descriptor,
  EvalFile,
  ImportFailure,
  LogStream,
  Outcome,
  RunContext,
  Task,
} from '../protocol/messages.js';

/** What importing eval files gave. */
export interface LoadedFiles {
  readonly descriptors: readonly Descriptor[];
  readonly failures: readonly ImportFailure[];
}

/** An attempt that has ended. */
export interface FinishedTask {
  readonly task: Task;
  readonly outcome: Outcome;
}

/** Where an executor gets its tasks from and whom it tells what became of them. */
export interface Work {
  /** The next tasks, at most `count`; none when there are no more. */
  take(count: number): readonly Task[];
  /** How many tasks an executor may hold beyond those it runs, so that it never waits for the next. */
  readonly ahead: number;
  /** How many are left to take. */
  left(): number;
  onStarted(tasks: readonly Task[]): void;
  /** Tasks that were said to have started and will be started again. */
  onReturned(tasks: readonly Task[]): void;
  /** May still be called after a stop. */
  onFinished(finished: readonly FinishedTask[]): void;
  onPrinted(task: Task, stream: LogStream, text: string): void;
}

/**
 * Where evaluations execute: today a pool of local processes, later perhaps a queue over several machines.
 * One executor serves one execution.
 */
export interface Executor {
  /** Imports the files and says what they hold. Files that fail are named in `failures`; the others still count. */
  load(files: readonly EvalFile[]): Promise<LoadedFiles>;
  /** Hands over the authored values of loaded evaluations, a few at a time, in the order of the ids. */
  describe(
    ids: readonly string[],
    onValues: (values: readonly DescribedValues[]) => void,
  ): Promise<void>;
  /** Executes tasks until there are none left to take and none running. */
  execute(run: RunContext, work: Work): Promise<void>;
  /** Lets what runs finish and starts nothing else; resolves when nothing can start any more. */
  pause(): Promise<void>;
  /** Continues after {@link pause}. */
  resume(): void;
  /** Gives the signal to everything that runs, ends what does not let go; resolves when nothing runs any more. */
  stop(): Promise<void>;
  /** Frees what the executor holds. */
  close(): void;
}
