import { parentPort, workerData } from 'node:worker_threads';
import { startedOutsideGroup } from '../protocol/process-tree.js';

/**
 * Runs in a thread of its own, so that a busy main thread cannot hold it up: ends the whole process group when the
 * runner is gone, and when the host has not ended in time after it was told to.
 */
const { runnerPid } = workerData as { readonly runnerPid: number };
const lookEveryMs = 500;
const endWithinMs = 2000;

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

setInterval(() => {
  if (process.ppid !== runnerPid) killGroup();
}, lookEveryMs);
parentPort?.on('message', () => setTimeout(killGroup, endWithinMs));
