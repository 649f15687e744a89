import type { MessagePort } from 'node:worker_threads';
import { startedOutsideGroup } from '../protocol/process-tree.js';

/** Whom to watch for, and how to hear of the end. */
export interface Watch {
  readonly runnerPid: number;
  /** Any message on it says that the host has been told to end. */
  readonly end: MessagePort;
}

const lookEveryMs = 500;
const endWithinMs = 2000;

/**
 * Ends the whole process group when the runner is gone, and when the host has not ended in time after it was told to.
 * For a thread other than the main one, which user code may keep busy.
 */
export function watch({ runnerPid, end }: Watch): void {
  setInterval(() => {
    if (process.ppid !== runnerPid) killGroup();
  }, lookEveryMs);
  end.on('message', () => setTimeout(killGroup, endWithinMs));
}

function killGroup(): void {
  for (const pid of startedOutsideGroup(process.pid)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.kill(process.pid, 'SIGKILL');
  }
}
