import { AssayError, shortageOf } from '../../errors.js';
import type { FileReads, FoundCode } from '../../model/code/file-code.js';
import type {
  DescribedValues,
  EvalFile,
  HostMessage,
  RunContext,
  RunnerMessage,
  Task,
} from '../../protocol/messages.js';
import type { LoadOptions } from '../executor.js';
import { Assignments, BlockedProcessKiller } from './assignments.js';
import { HeldCalls, ImportCalls } from './host-calls.js';
import { handleOrphanedTasks, hostExitText } from './host-exit.js';
import { type HostExit, HostProcess } from './host-process.js';
import { Describing, type LoadedByWorker, Loading, type OnValues, slowMs } from './loading.js';
import { TaskReports } from './task-reports.js';
import type { WorkerHandlers, WorkerSettings } from './worker-options.js';

/** Why code has not come that another process can find. */
export const processEnded = 'its process has ended';

type TakenFromImport = Extract<HostMessage, { type: 'taken-from-import' }>;

/** The longest that a timer of Node takes, nearly a month: for what has no deadline. */
export const longestTimerMs = 2 ** 31 - 1;
const watchEveryMs = 100;
/** Maximum consecutive starts of a process that ends before it has started a task. */
const maxFailedStarts = 3;
/** Milliseconds between attempts to start a process while the system lacks files, processes or memory. */
const shortageRetryMs = 500;

/** The code of loaded files, as far as it came. */
export interface SentCode {
  readonly found: readonly FoundCode[];
  /** Why it is not all of it: `its process has ended`. */
  readonly problem?: string | undefined;
}

/** A sequence of host processes that runs tasks, one process at a time: when one ends, the next takes its place. */
export class Worker {
  readonly #settings: WorkerSettings;
  readonly #assigned: Assignments;
  readonly #importCalls = new ImportCalls();
  #host: HostProcess | undefined;
  #loaded = false;
  #loading: Loading | undefined;
  #describing: Describing | undefined;
  /** Resolve when the tasks that were requested back have returned, or their process is gone. */
  readonly #recalls: (() => void)[] = [];
  /** Resolve when the stop has ended all that runs. */
  readonly #stops: (() => void)[] = [];
  #noteEnding: () => void = () => undefined;
  #begin:
    | { runs: readonly RunContext[]; files: readonly EvalFile[]; handlers: WorkerHandlers }
    | undefined;
  #heldCalls: HeldCalls | undefined;
  #watch: NodeJS.Timeout | undefined;
  #failedStarts = 0;
  /** Since when no process can be started because the system has run out of something; `performance.now()`. */
  #shortSince: number | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;
  #ahead = 0;
  /** A process has crashed: from now on, every start is reported before it happens. */
  #careful = false;
  /** Collects the code of files. */
  #codes: { readonly found: FoundCode[]; readonly done: (code: SentCode) => void } | undefined;
  /** An attempt has run in the process that is to have one only. */
  #isUsed = false;
  /** What was looked at in the process. */
  readonly #reads: FileReads[] = [];
  /** The runs whose tasks the process had, which may know all of it. */
  readonly #runs = new Set<number>();

  constructor(settings: WorkerSettings) {
    this.#settings = settings;
    this.#assigned = new Assignments(settings.slots);
  }

  /** Imports files in the worker's process, starting one when there is none. `list`: answer with their evaluations. */
  load(
    files: readonly EvalFile[],
    list: boolean,
    { withCode = false, findsCode }: LoadOptions = {},
  ): Promise<LoadedByWorker> {
    const { importDeadlineMs, redact, addedEnv, cwd, calls, listsModules, onTouched, inspect } =
      this.#settings;
    return new Promise((resolve) => {
      this.#loading = new Loading({
        deadlineMs: importDeadlineMs,
        redact,
        onSlow: (file) => {
          // Others have said so already.
          if (list && inspect === undefined)
            this.#settings.onWarning(slowText(file, onTouched !== undefined));
        },
        onDeadline: () => this.#host?.kill('SIGKILL'),
        onLoaded: resolve,
      });
      this.#send({
        type: 'load',
        files,
        list,
        withCode,
        findsCode,
        cwd,
        env: addedEnv,
        calls,
        ...(list && listsModules && { modules: true }),
        ...(onTouched && { watched: true }),
        inspect,
      });
    });
  }

  describe(ids: readonly string[], onValues: OnValues): Promise<void> {
    if (ids.length === 0) return Promise.resolve();
    if (!this.#loaded) return Promise.reject(hostGone('it ended before'));
    this.#describing = new Describing({
      ids,
      onValues,
      deadlineMs: this.#settings.importDeadlineMs,
      onDeadline: () => this.#host?.kill('SIGKILL'),
    });
    this.#send({ type: 'describe', ids });
    return this.#describing.done;
  }

  /** The code of the loaded files. */
  fingerprint(): Promise<SentCode> {
    if (!this.#loaded || this.#isClosed)
      return Promise.resolve({ found: [], problem: processEnded });
    return new Promise((done) => {
      this.#codes = { found: [], done };
      const { codeCache, statelessPackages } = this.#settings;
      this.#send({ type: 'fingerprint', cache: codeCache, statelessPackages });
    });
  }

  /** The code of files, from the process that is there now, or a new one. */
  async fingerprintAgain(files: readonly EvalFile[]): Promise<SentCode> {
    if (!this.#loaded && this.#loading === undefined)
      await this.load(files, false, { findsCode: true });
    return this.fingerprint();
  }

  /** Waits no longer for code: whoever asked for it gets what has come. */
  endCode(problem?: string): void {
    this.#codes?.done({ found: this.#codes.found, problem });
    this.#codes = undefined;
  }

  /** Makes the worker ready to take tasks: as many as run at a time, and so many ahead of them. */
  begin(
    runs: readonly RunContext[],
    files: readonly EvalFile[],
    ahead: number,
    handlers: WorkerHandlers,
  ): void {
    this.#ahead = ahead;
    this.#begin = { runs, files, handlers };
    this.#heldCalls = new HeldCalls(this.#assigned, handlers.work.calls);
    if (this.#loaded) this.#sendBegin();
    const killer = new BlockedProcessKiller();
    this.#watch = setInterval(
      () => killer.check(this.#host, this.#assigned.lateMs(performance.now())),
      watchEveryMs,
    );
  }

  /** Number of tasks that the worker can take now. */
  room(): number {
    if (this.#isUsed) return 0;
    return this.#settings.slots + this.#ahead - this.#assigned.size;
  }

  /** Number of those that would start immediately. */
  freeSlots(): number {
    // A used process may still have to send its code before another can follow.
    if (this.#isUsed) return 0;
    return this.#settings.slots - this.#assigned.size;
  }

  give(given: readonly Task[]): void {
    if (given.length === 0) return;
    const timeout = longestTimerMs / 1000;
    const tasks = this.#settings.inspect ? given.map((task) => ({ ...task, timeout })) : given;
    this.#assigned.add(tasks);
    this.#addRuns(tasks);
    if (this.#loaded) this.#send({ type: 'execute', tasks });
    else this.#start();
  }

  isIdle(): boolean {
    return this.#assigned.size === 0;
  }

  /** Number of tasks that it has. */
  get size(): number {
    return this.#assigned.size;
  }

  /** It has tasks, and its process is still to load the files. */
  get isStarting(): boolean {
    return !this.#loaded && this.size > 0;
  }

  /** What the process remembers of earlier tasks, those of other runs may be told. */
  #addRuns(tasks: readonly Task[]): void {
    for (const { run = 0 } of tasks) {
      if (this.#runs.has(run)) continue;
      this.#runs.add(run);
      if (this.#reads.length > 0) this.#begin?.handlers.work.onReads?.(this.#reads, [run]);
    }
  }

  /** Requests tasks back that have not started; resolves when they are back. */
  recall(): Promise<void> {
    // Before the begin the process has no tasks, and answers nothing about them.
    if (this.#host === undefined || !this.#loaded || this.#begin === undefined) {
      this.#begin?.handlers.onReturned(this.#assigned.takeBack());
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.#recalls.push(resolve);
      this.#send({ type: 'recall' });
    });
  }

  /** Aborts running tasks and kills the process if they do not end; resolves when nothing runs any more. */
  stop(): Promise<void> {
    clearTimeout(this.#retry);
    if (this.#host === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.#stops.push(resolve);
      this.#send({ type: 'abort' });
      this.#assigned.stop(performance.now());
      this.#heldCalls?.refuseAll();
      // It would not hear of the stop before a person lets it go on.
      if (this.#assigned.isPaused) this.#host?.kill('SIGKILL');
      this.#resolveStopIfIdle();
    });
  }

  /** Lets the process go; resolves when it has reported all of its calls. */
  async retire(): Promise<void> {
    if (this.#host === undefined) return;
    const ending = new Promise<void>((resolve) => {
      this.#noteEnding = resolve;
    });
    this.#releaseHost();
    await ending;
  }

  /** Lets the process go; the worker starts no other. */
  close(): void {
    this.#isClosed = true;
    this.#heldCalls?.withdrawAll();
    clearInterval(this.#watch);
    clearTimeout(this.#retry);
    this.#loading?.leave();
    this.#describing?.fail(hostGone('it is not needed any more'));
    this.endCode(processEnded);
    this.#host?.release();
    this.#host = undefined;
    this.#leaveImportCalls();
    // The process sends nothing any more, so nothing waits for it.
    this.#endRecalls();
    this.#endStops();
  }

  /** Lets a process end that nothing is expected of; the next task gets another. */
  #releaseHost(): void {
    if (this.#codes !== undefined) return;
    this.#host?.release();
    this.#host = undefined;
    this.#loaded = false;
    this.#isUsed = false;
    this.#leaveImportCalls();
    this.#endRecalls();
  }

  /** No attempt will take them: their process is gone, or about to go. */
  #leaveImportCalls(): void {
    const calls = this.#importCalls.clear();
    if (calls.length > 0) this.#settings.onUnlisted(calls);
  }

  #send(message: RunnerMessage): void {
    if (this.#isClosed) return;
    this.#host ??= this.#spawn();
    this.#host.send(message);
  }

  #spawn(): HostProcess {
    this.#loaded = false;
    this.#isUsed = false;
    this.#reads.length = 0;
    this.#runs.clear();
    for (const { run = 0 } of this.#assigned.waiting()) this.#runs.add(run);
    const host: HostProcess = new HostProcess(this.#settings.env, {
      onMessages: (messages) => {
        if (this.#host === host) this.#receive(messages);
        else this.#receiveLate(messages);
      },
      onPrint: (stream, text) => {
        this.#settings.onPrint(stream, this.#settings.redact(text));
      },
      onExit: (exit) => {
        if (this.#host === host) this.#ended(exit);
        else this.#noteEnding();
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
        // The process did not come to any file.
        if (file === '') continue;
        this.#settings.onWarning(`${file} could not be imported again: ${message}`);
      }
      if (loaded.startFailure === undefined) this.#shortSince = undefined;
      if (loaded.ended === undefined) this.#sendAll();
      else if (!this.#waitsForSystem(loaded)) this.#handleFailedStart(loaded);
    });
  }

  /** True if the system lacks resources; then the start is retried. */
  #waitsForSystem({ startFailure }: LoadedByWorker): boolean {
    const shortage = shortageOf(startFailure);
    if (shortage === undefined) return false;
    const { shortageDeadlineMs } = this.#settings;
    if (this.#shortSince === undefined) {
      this.#shortSince = performance.now();
      this.#settings.onWarning(
        `No process can be started for evaluations: ${shortage}. assay tries again for ${shortageDeadlineMs / 1000} s.`,
      );
    }
    if (performance.now() - this.#shortSince > shortageDeadlineMs) return false;
    this.#retry = setTimeout(() => this.#start(), shortageRetryMs);
    return true;
  }

  #sendBegin(): void {
    if (this.#begin === undefined) return;
    const { runs, handlers } = this.#begin;
    const { slots, streamLogs } = this.#settings;
    const asks = handlers.work.calls !== undefined;
    this.#send({ type: 'begin', runs, slots, streamLogs, asks, careful: this.#careful });
  }

  #sendAll(): void {
    this.#sendBegin();
    const tasks = this.#assigned.waiting();
    if (tasks.length > 0) this.#send({ type: 'execute', tasks });
  }

  #handleFailedStart(loaded: LoadedByWorker): void {
    this.#failedStarts += 1;
    if (this.#failedStarts < maxFailedStarts) {
      this.#start();
      return;
    }
    this.#begin?.handlers.onFailure(cannotStart(loaded));
  }

  #receive(messages: readonly HostMessage[]): void {
    this.#assigned.hear(performance.now());
    const reports = new TaskReports(this.#assigned, this.#begin?.handlers.work);
    const described: DescribedValues[] = [];
    for (const message of messages) {
      if (message.type === 'described') described.push(...message.values);
      else if (message.type === 'taken-from-import') this.#takeFromImport(message);
      else if (!reports.take(message)) this.#receiveOther(message);
    }
    if (described.length > 0 && this.#describing?.receive(described) === true) {
      this.#describing = undefined;
    }
    if (reports.haveStarted) this.#failedStarts = 0;
    reports.flush();
    if (this.#settings.isolate && reports.haveStarted) this.#isUsed = true;
    if (this.#isUsed && this.#assigned.size === 0) this.#releaseHost();
    if (this.#isStopping) this.#resolveStopIfIdle();
    else if (this.room() * 2 >= this.#ahead) this.#begin?.handlers.onRoom();
  }

  #takeFromImport({ task, file, numbers }: TakenFromImport): void {
    this.#assigned.addCalls(task, this.#importCalls.take(file, numbers));
  }

  /** Takes what a process reports that was let go. */
  #receiveLate(messages: readonly HostMessage[]): void {
    for (const message of messages) {
      if (message.type === 'called') {
        this.#begin?.handlers.work.onCalled(message.task, message.calls);
      } else if (message.type === 'ending') {
        this.#noteEnding();
      }
    }
  }

  #receiveOther(message: HostMessage): void {
    switch (message.type) {
      case 'recalled':
        this.#begin?.handlers.onReturned(this.#assigned.takeBack(message.tasks));
        this.#endRecalls();
        return;
      case 'ask':
        this.#heldCalls?.ask(message, (answer) => this.#send({ type: 'answer', ...answer }));
        return;
      case 'withdraw':
        this.#heldCalls?.withdraw(message.task, message.call);
        return;
      case 'answering':
        this.#begin?.handlers.work.calls?.answering(message.task, message.call, message.retryAfter);
        return;
      case 'called-at-import':
        this.#importCalls.add(message.file, message.calls);
        return;
      case 'warning':
        this.#settings.onWarning(message.text);
        return;
      case 'reads':
        this.#reads.push(message);
        this.#begin?.handlers.work.onReads?.([message], [...this.#runs]);
        return;
      case 'wrote':
        this.#begin?.handlers.work.onWrote?.();
        return;
      case 'inspected':
        this.#settings.onWarning(inspectedText(message.url, this.#settings.inspect?.stops));
        return;
      case 'paused':
        this.#assigned.pause(performance.now(), message.isLate);
        this.#loading?.pause();
        this.#describing?.pause();
        return;
      case 'resumed':
        this.#assigned.goOn(performance.now());
        this.#loading?.goOn();
        this.#describing?.goOn();
        return;
      case 'touched':
        this.#settings.onTouched?.(message.looks, message.writes);
        return;
      case 'code':
        this.#codes?.found.push(message);
        return;
      case 'fingerprinted':
        this.endCode(message.problem);
        return;
      default:
        this.#receiveLoading(message);
    }
  }

  #receiveLoading(message: HostMessage): void {
    if (this.#loading?.receive(message) !== true) return;
    this.#loading = undefined;
    this.#loaded = true;
  }

  #endRecalls(): void {
    for (const resolve of this.#recalls.splice(0)) resolve();
  }

  get #isStopping(): boolean {
    return this.#stops.length > 0;
  }

  #endStops(): void {
    for (const resolve of this.#stops.splice(0)) resolve();
  }

  #resolveStopIfIdle(): void {
    if (this.#assigned.size === 0) this.#endStops();
  }

  #ended(exit: HostExit): void {
    this.#heldCalls?.withdrawAll();
    this.#host = undefined;
    this.#loaded = false;
    this.#leaveImportCalls();
    this.#endRecalls();
    this.endCode(processEnded);
    const loading = this.#loading;
    this.#loading = undefined;
    loading?.fail(exit);
    this.#describing?.fail(hostGone(hostExitText(exit, this.#settings.redact)));
    if (loading === undefined) this.#handleExit(exit);
    this.#resolveStopIfIdle();
  }

  /** Reports the tasks of a process that ended while it executed. */
  #handleExit(exit: HostExit): void {
    // A process that has closed its pipe has not received what waits.
    const left = this.#assigned.clear(this.#careful || exit.closedPipe);
    this.#careful = true;
    this.#settings.onUnlisted(left.lostCalls);
    if (this.#isStopping) {
      this.#settings.onUnlisted(left.culpritCalls?.calls ?? []);
      return;
    }
    const handlers = this.#begin?.handlers;
    if (handlers === undefined) return;
    handleOrphanedTasks(left, exit, this.#settings.redact, handlers);
    handlers.onRoom();
  }
}

/** The error for a process that ended before it came to the first file. */
export function cannotStart({ failures: [failure], startFailure }: LoadedByWorker): AssayError {
  const message = `No process can be started for evaluations: ${failure?.message}`;
  return new AssayError('host-failed', message, { cause: startFailure });
}

/** The address, for editors and for Chrome. */
function inspectedText(url: string, stops = false): string {
  const where = `Debugger listening on ${url}\nAttach an editor to ${new URL(url).host}, or open chrome://inspect.`;
  return stops ? `${where} Nothing runs before that.` : where;
}

function slowText(file: string, isWatched: boolean): string {
  const text = `${file} is still being imported after ${slowMs / 1000} s`;
  return isWatched ? `${text}; saving it gives up this import.` : `${text}.`;
}

function hostGone(how: string): AssayError {
  return new AssayError('host-failed', `The process that has the evaluations is gone: ${how}.`);
}
