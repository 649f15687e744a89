import type { LeftTasks } from './assignments.js';
import type { HostExit } from './host-process.js';
import type { LaneHandlers } from './lane-options.js';
import { lostOutcome } from './lost-outcome.js';

/** Says what a dead process means for the tasks it had. */
export function tellLeftTasks(
  { culprit, suspects, innocent, waiting, wasOverdue, ...left }: LeftTasks,
  exit: HostExit,
  redact: (text: string) => string,
  handlers: LaneHandlers,
): void {
  handlers.onReturned(waiting);
  if (innocent.length + suspects.length > 0) handlers.onLost({ ...left, innocent, suspects });
  if (culprit === undefined) return;
  const outcome = lostOutcome(culprit, wasOverdue, exit, redact);
  handlers.onFinished([{ task: culprit, outcome }]);
}
