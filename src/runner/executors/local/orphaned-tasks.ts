import type { OrphanedTasks } from './assignments.js';
import type { HostExit } from './host-process.js';
import { lostOutcome } from './lost-outcome.js';
import type { LaneHandlers } from './worker-options.js';

/** Returns, requeues or fails the tasks of a process that has ended. */
export function handleOrphanedTasks(
  { culprit, culpritCalls, suspects, innocent, waiting, wasOverdue, ...left }: OrphanedTasks,
  exit: HostExit,
  redact: (text: string) => string,
  handlers: LaneHandlers,
): void {
  handlers.onReturned(waiting);
  if (innocent.length + suspects.length > 0) handlers.onLost({ ...left, innocent, suspects });
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
