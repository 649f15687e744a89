import { AssayError } from '../errors.js';
import type {
  DescribedValues,
  EvalFile,
  HostMessage,
  LogStream,
  RunContext,
  RunnerMessage,
  Task,
} from '../protocol/messages.js';
import { Assignments, type LeftTasks } from './assignments.js';
import type { FinishedTask } from './executor.js';
import { hostExitText } from './host-exit-text.js';
import { type HostExit, HostProcess } from './host-process.js';
import { type LoadedByLane, Loading } from './loading.js';
import { lostOutcome } from './lost-outcome.js';

export interface LaneSettings {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly addedEnv: { readonly [name: string]: string };
  /** Evaluations that run at a time. */
  readonly slots: number;
  readonly streamLogs: boolean;
  readonly redact: (text: string) => string;
  readonly importDeadlineMs: number;
  /** Something was printed outside of any evaluation. */
  readonly onPrint: (stream: LogStream, text: string) => void;
  /** Something went wrong outside of any evaluation. */
  readonly onWarning: (text: string) => void;
}

export interface LaneHandlers {
  readonly onStarted: (tasks: readonly Task[]) => void;
  readonly onFinished: (finished: readonly FinishedTask[]) => void;
  readonly onReturned: (tasks: readonly Task[], wereStarted: boolean) => void;
  /** Tasks that ran when their process ended, and one of them, not known which, is the cause. */
  readonly onSuspects: (tasks: readonly Task[]) => void;
  readonly onPrinted: (task: Task, stream: LogStream, text: string) => void;
  /** The lane takes more, or has nothing left. */
  readonly onRoom: () => void;
  /** The lane can run nothing at all. */
  readonly onFailure: (error: unknown) => void;
}

interface Describing {
  /** Evaluations whose values have not come yet. */
  left: number;
  readonly onValues: (values: readonly DescribedValues[]) => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const watchEveryMs = 100;
/** How often in a row a fresh process may end before it has started anything. */
const maxFutileStarts = 3;

/** A sequence of host processes that runs tasks, one process at a time: when one ends, the next takes its place. */
export class Lane {
  readonly #settings: LaneSettings;
  readonly #assigned: Assignments;
  #host: HostProcess | undefined;
  #loaded = false;
  #loading: Loading | undefined;
  #describing: Describing | undefined;
  #recall: Recall | undefined;
  #stopped: (() => void) | undefined;
  #begin: { run: RunContext; files: readonly EvalFile[]; handlers: LaneHandlers } | undefined;
  #watch: NodeJS.Timeout | undefined;
  #futileStarts = 0;
  #isClosed = false;
  #ahead = 0;
  /** A process has ended by itself: from now on every start is known before it happens. */
  #careful = false;

  constructor(settings: LaneSettings) {
    this.#settings = settings;
    this.#assigned = new Assignments(settings.slots);
  }

  /** Imports files in the lane's process, starting one when there is none. */
  load(files: readonly EvalFile[], list: boolean): Promise<LoadedByLane> {
    const { importDeadlineMs, redact, addedEnv, cwd } = this.#settings;
    return new Promise((resolve) => {
      this.#loading = new Loading({
        deadlineMs: importDeadlineMs,
        redact,
        onDeadline: () => this.#host?.kill('SIGKILL'),
        onLoaded: resolve,
      });
      this.#send({ type: 'load', files, list, cwd, env: addedEnv });
    });
  }

  describe(ids: readonly string[], onValues: Describing['onValues']): Promise<void> {
    if (ids.length === 0) return Promise.resolve();
    if (!this.#loaded) return Promise.reject(hostGone('it ended before'));
    return new Promise((resolve, reject) => {
      this.#describing = { left: ids.length, onValues, resolve, reject };
      this.#send({ type: 'describe', ids });
    });
  }

  /** Makes the lane ready to take tasks: as many as run at a time, and so many ahead of them. */
  begin(run: RunContext, files: readonly EvalFile[], ahead: number, handlers: LaneHandlers): void {
    this.#ahead = ahead;
    this.#begin = { run, files, handlers };
    if (this.#loaded) this.#sendBegin();
    this.#watch = setInterval(() => this.#look(), watchEveryMs);
  }

  /** How many more tasks the lane takes now. */
  room(): number {
    return this.#settings.slots + this.#ahead - this.#assigned.size;
  }

  /** How many of them would start at once. */
  freeSlots(): number {
    return this.#settings.slots - this.#assigned.size;
  }

  give(tasks: readonly Task[]): void {
    if (tasks.length === 0) return;
    this.#assigned.add(tasks);
    if (this.#loaded) this.#send({ type: 'execute', tasks });
    else this.#start();
  }

  isIdle(): boolean {
    return this.#assigned.size === 0;
  }

  /** Takes back what has not started; resolves when it is back. */
  recall(): Promise<void> {
    if (this.#host === undefined || !this.#loaded) {
      this.#begin?.handlers.onReturned(this.#assigned.takeBack(), false);
      return Promise.resolve();
    }
    this.#recall ??= newRecall();
    this.#send({ type: 'recall' });
    return this.#recall.done;
  }

  /** Gives the signal to what runs; ends the process when it does not let go; resolves when it is gone. */
  stop(): Promise<void> {
    if (this.#host === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.#stopped = resolve;
      this.#send({ type: 'abort' });
      this.#assigned.stop(performance.now());
      this.#letStoppedGo();
    });
  }

  /** Lets the process go; the lane starts no other. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#watch);
    this.#host?.release();
    this.#host = undefined;
  }

  #send(message: RunnerMessage): void {
    if (this.#isClosed) return;
    this.#host ??= this.#spawn();
    this.#host.send(message);
  }

  #spawn(): HostProcess {
    this.#loaded = false;
    const host: HostProcess = new HostProcess(this.#settings.env, {
      onMessages: (messages) => {
        if (this.#host === host) this.#receive(messages);
      },
      onPrint: (stream, text) => {
        this.#settings.onPrint(stream, this.#settings.redact(text));
      },
      onExit: (exit) => {
        if (this.#host === host) this.#ended(exit);
      },
    });
    return host;
  }

  /** Brings up a process that has the files loaded, unless one is on its way. */
  #start(): void {
    const begin = this.#begin;
    if (begin === undefined || this.#loaded || this.#loading !== undefined) return;
    void this.load(begin.files, false).then((loaded) => {
      for (const { file, message } of loaded.failures) {
        this.#settings.onWarning(`${file} could not be imported again: ${message}`);
      }
      if (loaded.ended === undefined) this.#sendAll();
      else this.#startedInVain(loaded);
    });
  }

  #sendBegin(): void {
    if (this.#begin === undefined) return;
    const { run } = this.#begin;
    const { slots, streamLogs } = this.#settings;
    this.#send({ type: 'begin', run, slots, streamLogs, careful: this.#careful });
  }

  #sendAll(): void {
    this.#sendBegin();
    const tasks = this.#assigned.waiting();
    if (tasks.length > 0) this.#send({ type: 'execute', tasks });
  }

  #startedInVain(loaded: LoadedByLane): void {
    this.#futileStarts += 1;
    if (this.#futileStarts < maxFutileStarts) {
      this.#start();
      return;
    }
    const [failure] = loaded.failures;
    this.#begin?.handlers.onFailure(
      new AssayError(
        'host-failed',
        `No process can be started for evaluations: ${failure?.message}`,
      ),
    );
  }

  #receive(messages: readonly HostMessage[]): void {
    this.#assigned.hear(performance.now());
    const started: Task[] = [];
    const described: DescribedValues[] = [];
    let finished: FinishedTask[] = [];
    for (const message of messages) {
      // What was printed later is shown later.
      if (message.type === 'log' && finished.length > 0) {
        this.#begin?.handlers.onFinished(finished);
        finished = [];
      }
      if (message.type === 'described') described.push(...message.values);
      else this.#receiveOne(message, started, finished);
    }
    if (described.length > 0) this.#receiveValues(described);
    if (finished.length > 0) this.#begin?.handlers.onFinished(finished);
    const running = started.filter(({ task }) => this.#assigned.isRunning(task));
    if (running.length > 0) this.#begin?.handlers.onStarted(running);
    if (this.#stopped !== undefined) this.#letStoppedGo();
    else if (this.room() * 2 >= this.#ahead) this.#begin?.handlers.onRoom();
  }

  #receiveOne(message: HostMessage, started: Task[], finished: FinishedTask[]): void {
    const handlers = this.#begin?.handlers;
    switch (message.type) {
      case 'started':
        this.#futileStarts = 0;
        started.push(...this.#assigned.start(message.tasks, performance.now()));
        return;
      case 'postponed':
        this.#assigned.postpone(message.tasks);
        return;
      case 'finished': {
        const task = this.#assigned.finish(message.task, message.lingering, performance.now());
        if (task !== undefined) finished.push({ task, outcome: message.outcome });
        return;
      }
      case 'released':
        this.#assigned.release(message.task);
        return;
      case 'recalled':
        handlers?.onReturned(this.#assigned.takeBack(message.tasks), false);
        this.#recall?.resolve();
        this.#recall = undefined;
        return;
      case 'log': {
        const task = this.#assigned.get(message.task);
        if (task !== undefined) handlers?.onPrinted(task, message.stream, message.text);
        return;
      }
      case 'warning':
        this.#settings.onWarning(message.text);
        return;
      default:
        this.#receiveLoading(message);
    }
  }

  #receiveValues(values: readonly DescribedValues[]): void {
    const describing = this.#describing;
    if (describing === undefined) return;
    try {
      describing.onValues(values);
      describing.left -= values.length;
      if (describing.left > 0) return;
      describing.resolve();
    } catch (error) {
      describing.reject(error);
    }
    this.#describing = undefined;
  }

  #receiveLoading(message: HostMessage): void {
    if (this.#loading?.receive(message) !== true) return;
    this.#loading = undefined;
    this.#loaded = true;
  }

  /** Ends a process in which something has not let go in time. */
  #look(): void {
    const signal = this.#assigned.overdue(performance.now());
    if (signal !== undefined) this.#host?.kill(signal);
  }

  #letStoppedGo(): void {
    if (this.#stopped === undefined || this.#assigned.size > 0) return;
    this.#stopped();
    this.#stopped = undefined;
  }

  #ended(exit: HostExit): void {
    this.#host = undefined;
    this.#loaded = false;
    this.#recall?.resolve();
    this.#recall = undefined;
    const loading = this.#loading;
    this.#loading = undefined;
    loading?.fail(exit);
    this.#describing?.reject(hostGone(this.#settings.redact(hostExitText(exit))));
    if (loading === undefined) this.#takeStock(exit);
    this.#letStoppedGo();
  }

  /** What a process leaves behind when it ends while it executes. */
  #takeStock(exit: HostExit): void {
    const left = this.#assigned.clear(this.#careful);
    this.#careful = true;
    if (this.#stopped !== undefined) return;
    this.#judge(left, exit);
    this.#begin?.handlers.onRoom();
  }

  /** Says what a dead process means for the tasks it had. */
  #judge({ culprit, suspects, innocent, waiting, wasOverdue }: LeftTasks, exit: HostExit): void {
    const handlers = this.#begin?.handlers;
    if (handlers === undefined) return;
    handlers.onReturned(waiting, false);
    handlers.onReturned(innocent, true);
    if (suspects.length > 0) handlers.onSuspects(suspects);
    if (culprit === undefined) return;
    const outcome = lostOutcome(culprit, wasOverdue, exit, this.#settings.redact);
    handlers.onFinished([{ task: culprit, outcome }]);
  }
}

function hostGone(how: string): AssayError {
  return new AssayError('host-failed', `The process that has the evaluations is gone: ${how}.`);
}

/** Tasks that were asked back and have not come yet. */
interface Recall {
  readonly done: Promise<void>;
  readonly resolve: () => void;
}

function newRecall(): Recall {
  let resolve: () => void = () => undefined;
  const done = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { done, resolve };
}
