import type { MessagePort } from 'node:worker_threads';
import { signalTree } from '../protocol/process-tree.js';
import { callOnMainThread } from './call-on-main-thread.js';
import { DueTime, sharedNow } from './due-time.js';

/** Whom to watch for, and how to hear of the end. */
export interface Watch {
  readonly runnerPid: number;
  /** By what the processes are known that the host has started. */
  readonly mark: string;
  /** Any message on it says that the host has been told to end. */
  readonly end: MessagePort;
  /** Memory of the {@link DueTime} of the main thread. */
  readonly due: SharedArrayBuffer;
  /** Expression that makes the main thread say which attempt it is busy with. */
  readonly reportHolder: string;
}

const lookEveryMs = 250;
const endWithinMs = 2000;
/** How late the main thread may be before it is asked what holds it. */
const lateMs = 250;

/**
 * Ends the whole process group when the runner is gone, and when the host has not ended in time after it was told to.
 * Asks the main thread what it is doing when an attempt is overdue. For a thread other than the main one, which user
 * code may keep busy.
 */
export function watch({ runnerPid, mark, end, due, reportHolder }: Watch): void {
  const killAll = () => signalTree({ pid: process.pid, mark }, 'SIGKILL');
  const dueTime = new DueTime(due);
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
