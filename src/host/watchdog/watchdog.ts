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
  /** An expression that makes the main thread report the attempt that keeps it busy. */
  readonly reportHolder: string;
}

const lookEveryMs = 250;
const endWithinMs = 2000;
/** Lateness of the main thread after which it is asked which attempt blocks it. */
const lateMs = 250;

/**
 * Kills the whole process group when the runner is gone, and when the host does not end in time after it was asked
 * to. Asks the main thread which attempt is running when one is overdue. Runs outside the main thread, which user
 * code may block.
 */
export function watch({ runnerPid, mark, end, due, reportHolder }: Watch): void {
  const killAll = () => signalTree({ pid: process.pid, mark }, 'SIGKILL');
  const dueTime = new SharedDeadline(due);
  let askedFor: number | undefined;
  setInterval(() => {
    if (process.ppid !== runnerPid) killAll();
    const dueAt = dueTime.value;
    if (dueAt === askedFor || sharedNow() < dueAt + lateMs) return;
    askedFor = dueAt;
    void callOnMainThread(reportHolder);
  }, lookEveryMs);
  end.on('message', () => setTimeout(killAll, endWithinMs));
}

/**
 * Evaluates an expression in the main thread from another thread, interrupting whatever it runs, including an
 * endless loop. Does nothing in a Node without an inspector, and waits while the main thread is in a system call.
 */
async function callOnMainThread(expression: string): Promise<void> {
  const inspector = await import('node:inspector').catch(() => undefined);
  if (inspector === undefined) return;
  const session = new inspector.Session();
  session.connectToMainThread();
  session.once('Debugger.paused', () => {
    session.post('Runtime.evaluate', { expression }, () => {
      session.post('Debugger.resume');
      session.post('Debugger.disable', () => session.disconnect());
    });
  });
  session.post('Debugger.enable');
  session.post('Debugger.pause');
}

/** The time in milliseconds, by a clock that all threads of the process share. */
export function sharedNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** The deadline of the attempt that is due first, shared with other threads. */
export class SharedDeadline {
  readonly memory: SharedArrayBuffer;
  readonly #times: Float64Array;

  constructor(memory?: SharedArrayBuffer) {
    this.memory = memory ?? new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
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
}
