import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { provideCurrentEvaluation } from '../../dist/authoring/current-evaluation.js';
import { currentAttempt, currentScope } from '../../dist/host/attempt/attempt.js';
import { TaskScheduler } from '../../dist/host/attempt/task-scheduler.js';
import { guardProcess } from '../../dist/host/guard-process.js';
import { describeImportFailure } from '../../dist/host/import-failure.js';
import { ImportedEvaluations } from '../../dist/host/imported-evaluations.js';
import { Sanitizer } from '../../dist/host/sanitizer.js';
import { SharedDeadline } from '../../dist/host/watchdog/watchdog.js';
import type {
  DescribedValues,
  Descriptor,
  EmptyFile,
  EvalFile,
  HostMessage,
  ImportFailure,
  RunContext,
  Task,
} from '../../dist/protocol/messages.js';
import type { Executor, ExecutorOptions, LoadedFiles, Work } from '../../dist/runner/executor.js';
import { Assignments } from '../../dist/runner/local/assignments.js';
import { TaskReports } from '../../dist/runner/local/task-reports.js';

/** Milliseconds for which a stop waits for evaluations to let go. */
const graceMs = 500;

/** Imports of each path in this process. */
const imports = new Map<string, number>();
/** Who is told what an attempt prints. */
const printing = new WeakMap<Task, (stream: 'stdout' | 'stderr', text: string) => void>();

let isGuarded = false;

/** Attempts keep what they print, as in a host. */
function guardOnce(): void {
  if (isGuarded) return;
  isGuarded = true;
  process.exit = guardProcess({
    onPrint: (attempt, stream, text) => {
      attempt.log(stream, text);
      printing.get(attempt.task)?.(stream, text);
    },
    onStray: (thrown, attempt) => {
      // A command has nobody else who notices that it fails.
      if (attempt === undefined && process.listenerCount('uncaughtException') === 1) throw thrown;
    },
  });
  provideCurrentEvaluation(() => currentAttempt()?.context);
}

/**
 * Executes evaluations in this process, with the parts of a host: for tests of what a server or a command makes of them. Starts no
 * process, so evaluations find the environment and the working directory of the tests, their calls are not recorded, and
 * what does not end is given up and not killed. Modules that eval files import are imported once only.
 */
export class InProcessExecutor implements Executor {
  readonly #options: ExecutorOptions;
  readonly #onExecution: ((options: ExecutorOptions) => void) | undefined;
  readonly #sanitizer: Sanitizer;
  readonly #catalogue: ImportedEvaluations;
  readonly #assigned: Assignments;
  readonly #again: Task[] = [];
  #queued: string[] = [];
  #slots: TaskScheduler | undefined;
  #work: Work | undefined;
  #ended: (() => void) | undefined;
  /** Resolve the pauses that wait: one may be asked for before the last has ended. */
  readonly #recalls: (() => void)[] = [];
  #isPaused = false;
  #isStopped = false;

  constructor(options: ExecutorOptions, onExecution?: (options: ExecutorOptions) => void) {
    guardOnce();
    this.#options = options;
    this.#onExecution = onExecution;
    this.#sanitizer = new Sanitizer({ ...options.env, ...options.addedEnv });
    this.#catalogue = inFolder(
      options.cwd,
      () =>
        new ImportedEvaluations(this.#sanitizer, (text) => options.onWarning(text), importAgain),
    );
    this.#assigned = new Assignments(options.concurrency);
  }

  async load(files: readonly EvalFile[]): Promise<LoadedFiles> {
    const descriptors: Descriptor[] = [];
    const failures: ImportFailure[] = [];
    const empty: EmptyFile[] = [];
    for (const file of files) {
      try {
        descriptors.push(...sent(await this.#catalogue.load(file)));
        const reason = this.#catalogue.whyEmpty(file.name);
        if (reason !== undefined) empty.push({ file: file.name, reason });
      } catch (error) {
        failures.push(describeImportFailure(error, file, this.#sanitizer));
      }
    }
    return { descriptors, failures, empty };
  }

  async describe(
    ids: readonly string[],
    onValues: (values: readonly DescribedValues[]) => void,
  ): Promise<void> {
    onValues(sent(ids.map((id) => this.#catalogue.describe(id))));
  }

  async execute(runs: readonly RunContext[], work: Work): Promise<void> {
    this.#onExecution?.(this.#options);
    this.#work = work;
    const ended = new Promise<void>((resolve) => {
      this.#ended = resolve;
    });
    this.#slots = new TaskScheduler({
      channel: {
        isWriting: false,
        queue: (message) => this.#queue(message),
        send: (message) => this.#queue(message),
        flush: () => undefined,
      },
      catalogue: this.#catalogue,
      sanitizer: this.#sanitizer,
      callWatch: { begin: () => undefined },
      runs,
      slots: this.#options.concurrency,
      careful: false,
      dueTime: new SharedDeadline(),
    });
    this.#fill();
    await ended;
  }

  async pause(): Promise<void> {
    this.#isPaused = true;
    if (this.#slots === undefined) return;
    const recalled = new Promise<void>((resolve) => {
      this.#recalls.push(resolve);
    });
    this.#slots.recall();
    await recalled;
  }

  resume(): void {
    this.#isPaused = false;
    this.#fill();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#slots?.abort();
    this.#assigned.stop(performance.now());
    for (const end = performance.now() + graceMs; this.#assigned.size > 0; await delay(2)) {
      if (performance.now() > end) break;
    }
    this.#ended?.();
  }

  close(): void {
    this.#isStopped = true;
    this.#slots?.abort();
    this.#endRecalls();
  }

  #endRecalls(): void {
    for (const resolve of this.#recalls.splice(0)) resolve();
  }

  /** Takes as much as it can run. */
  #fill(): void {
    const work = this.#work;
    if (work === undefined || this.#isStopped) return;
    const room = this.#options.concurrency - this.#assigned.size;
    if (!this.#isPaused && room > 0) {
      const again = this.#again.splice(0, room);
      const tasks = [...again, ...work.take(room - again.length)];
      this.#assigned.add(tasks);
      for (const task of tasks) {
        const print = (stream: 'stdout' | 'stderr', text: string) =>
          this.#queue({ type: 'log', task: task.task, stream, text: this.#sanitizer.text(text) });
        if (this.#options.streamLogs) printing.set(task, print);
      }
      if (tasks.length > 0) this.#slots?.add(tasks);
    }
    if (work.left() + this.#again.length + this.#assigned.size === 0) this.#ended?.();
  }

  /** Hands messages on together, in a later turn and outside of the attempt that caused them, as a pipe does. */
  #queue(message: HostMessage): void {
    this.#queued.push(JSON.stringify(message));
    if (this.#queued.length > 1) return;
    currentScope.exit(() => setImmediate(() => this.#receive()));
  }

  #receive(): void {
    const messages = this.#queued.map((text) => JSON.parse(text) as HostMessage);
    this.#queued = [];
    const work = this.#work;
    if (work === undefined) return;
    const reports = new TaskReports(this.#assigned, work);
    for (const message of messages) {
      if (reports.take(message)) continue;
      if (message.type === 'warning') this.#options.onWarning(message.text);
      if (message.type !== 'recalled') continue;
      this.#again.push(...this.#assigned.takeBack(message.tasks));
      this.#endRecalls();
    }
    reports.flush();
    this.#fill();
  }
}

/** A module anew each time: under its own address first, so that it is in stacks. */
function importAgain(path: string): Promise<object> {
  const count = imports.get(path) ?? 0;
  imports.set(path, count + 1);
  return import(`${pathToFileURL(path).href}${count === 0 ? '' : `?again=${count}`}`);
}

function inFolder<T>(folder: string, make: () => T): T {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return make();
  } finally {
    process.chdir(before);
  }
}

/** A value as it comes through a pipe. */
function sent<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
