import type { Task } from '../../../protocol/messages.js';
import { errorOutcome, type Outcome } from '../../../protocol/outcome.js';
import type { OrphanedTasks } from './assignments.js';
import { hostExitText } from './host-exit-text.js';
import type { HostExit } from './host-process.js';
import type { LostTasks, WorkerHandlers } from './worker-options.js';

/** Returns, requeues or fails the tasks of a process that has ended. */
export function handleOrphanedTasks(
  tasks: OrphanedTasks,
  exit: HostExit,
  redact: (text: string) => string,
  handlers: WorkerHandlers,
): void {
  const { culprit, culpritCalls, suspects, innocent, waiting, wasOverdue } = tasks;
  const { holder, lostSeconds } = tasks;
  handlers.onReturned(waiting);
  if (innocent.length + suspects.length > 0)
    handlers.onLost({ holder, lostSeconds, innocent, suspects });
  if (culprit === undefined) return;
  const outcome = lostOutcome(culprit, wasOverdue, exit, redact);
  handlers.onFinished([
    {
      index: culprit.task,
      id: culprit.id,
      outcome: { ...outcome, ...(culpritCalls && { calls: culpritCalls }) },
    },
  ]);
}

/** The result of an attempt that ended its process. */
function lostOutcome(
  task: Task,
  wasOverdue: boolean,
  exit: HostExit,
  redact: (text: string) => string,
): Outcome {
  const error = wasOverdue
    ? `timed out after ${task.timeout} s and held its process, which was ended (an endless loop?)`
    : hostExitText(exit, redact);
  return errorOutcome(error);
}

/** The warning about tasks that run again because their process ended: which, why, and the lost time. */
export function lostText({ holder, innocent, suspects, lostSeconds }: LostTasks): string {
  const cost = `${lostSeconds.toFixed(1)} s of work is lost, and their calls of models are made, and paid, again.`;
  if (holder === undefined && innocent.length === 0) {
    return `A process that ran ${count(suspects.length)} ended; each runs again in its own process, to find the cause: ${cost}`;
  }
  const who = holder ?? 'An evaluation that had finished';
  const again = innocent.length + suspects.length;
  const itself = suspects.length > 0 ? ', that one in its own process' : '';
  return `${who} did not end in time, so its process was killed. ${count(again)} that ran in it ${again === 1 ? 'runs' : 'run'} again${itself}: ${cost}`;
}

function count(evaluations: number): string {
  return evaluations === 1 ? '1 evaluation' : `${evaluations} evaluations`;
}
