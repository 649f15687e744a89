import type { MessagePort } from 'node:worker_threads';
import { signalTree } from '../../processes/process-tree.js';

/** Parameters of the watchdog thread. */
export interface Watch {
  readonly runnerPid: number;
  /** Marks the processes that the host started. */
  readonly mark: string;
  /** Any message on it means that the host was asked to end. */
  readonly end: MessagePort;
  /** The memory of the main thread's {@link SharedDeadline}. */
  readonly due: SharedArrayBuffer;
  /** An expression for the function with which the main thread gives a {@link Report}. */
  readonly report: string;
}

const lookEveryMs = 250;
const endWithinMs = 2000;
/** Lateness of the main thread after which it is asked which attempt blocks it. */
const lateMs = 250;

/** What the main thread is asked to report. */
export type Report = 'holder' | 'paused' | 'paused-late' | 'resumed';

/**
 * Kills the whole process group when the runner is gone, and when the host does not end in time after it was asked
 * to. Asks the main thread which attempt is running when one is overdue, and reports when a debugger stops it. Runs outside the
 * main thread, which user code may block.
 */
export function watch({ runnerPid, mark, end, due, report }: Watch): void {
  const killAll = () => signalTree({ pid: process.pid, mark }, 'SIGKILL');
  const dueTime = new SharedDeadline(due);
  const main = new MainThread(report);
  let askedFor: number | undefined;
  setInterval(() => {
    if (process.ppid !== runnerPid) killAll();
    if (dueTime.isInspected) void main.follow();
    const dueAt = dueTime.value;
    if (dueAt === askedFor || sharedNow() < dueAt + lateMs) return;
    askedFor = dueAt;
    void main.askForHolder();
  }, lookEveryMs);
  end.on('message', () => setTimeout(killAll, endWithinMs));
}

type Session = import('node:inspector').Session;

/** The main thread, seen through its inspector from another thread. */
class MainThread {
  /** The function that reports, as an expression of the main thread. */
  readonly #report: string;
  #session: Session | undefined;
  /** A debugger of the user has stopped it. */
  #isPaused = false;
  /** It was asked to pause here. */
  #isAsked = false;
  #isFollowed = false;

  constructor(report: string) {
    this.#report = report;
  }

  /** Reports from now on when a debugger stops it and lets it go on. */
  async follow(): Promise<void> {
    if (this.#isFollowed) return;
    this.#isFollowed = true;
    await this.#connect();
  }

  /**
   * Interrupts whatever it runs, including an endless loop, to have the attempt reported that keeps it busy. Waits while it
   * is in a system call. If a debugger has stopped it, reports that instead.
   */
  async askForHolder(): Promise<void> {
    const session = await this.#connect();
    if (session === undefined || this.#isPaused || this.#isAsked) return;
    this.#isAsked = true;
    session.post('Debugger.pause');
  }

  /** Does nothing in a Node without an inspector. What happens before it is done was going on already. */
  async #connect(): Promise<Session | undefined> {
    if (this.#session !== undefined) return this.#session;
    const inspector = await import('node:inspector').catch(() => undefined);
    if (inspector === undefined || this.#session !== undefined) return this.#session;
    const session = new inspector.Session();
    this.#session = session;
    session.connectToMainThread();
    let isLate = !this.#isFollowed;
    session.on('Debugger.paused', () => this.#onPaused(session, isLate));
    session.on('Debugger.resumed', () => this.#onResumed(session));
    await new Promise<void>((done) => {
      session.post('Debugger.enable', () => done());
    });
    isLate = false;
    return session;
  }

  #onPaused(session: Session, isLate: boolean): void {
    if (this.#isAsked) {
      this.#isAsked = false;
      this.#say(session, 'holder');
      session.post('Debugger.resume');
      if (!this.#isFollowed) this.#leave(session);
      return;
    }
    this.#isPaused = true;
    this.#isFollowed = true;
    this.#say(session, isLate ? 'paused-late' : 'paused');
  }

  #onResumed(session: Session): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#say(session, 'resumed');
  }

  #say(session: Session, what: Report): void {
    session.post('Runtime.evaluate', { expression: `${this.#report}(${JSON.stringify(what)})` });
  }

  #leave(session: Session): void {
    session.post('Debugger.disable', () => session.disconnect());
    this.#session = undefined;
  }
}

/** The time in milliseconds, by a clock that all threads of the process share. */
export function sharedNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** The deadline of the attempt that is due first, and whether a debugger can connect, shared with other threads. */
export class SharedDeadline {
  readonly memory: SharedArrayBuffer;
  readonly #times: Float64Array;

  constructor(memory?: SharedArrayBuffer) {
    this.memory = memory ?? new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT);
    this.#times = new Float64Array(this.memory);
    if (memory === undefined) this.value = Number.POSITIVE_INFINITY;
  }

  /** Milliseconds as returned by {@link sharedNow}; Infinity while nothing runs. */
  get value(): number {
    return this.#times[0] ?? Number.POSITIVE_INFINITY;
  }

  set value(ms: number) {
    this.#times[0] = ms;
  }

  /** True from when a debugger can connect to the main thread. */
  get isInspected(): boolean {
    return this.#times[1] === 1;
  }

  noteInspected(): void {
    this.#times[1] = 1;
  }
}
