import type { Outcome, Task } from '../../../protocol/messages.js';
import { hostExitText } from './host-exit-text.js';
import type { HostExit } from './host-process.js';

/** The result of an attempt that ended its process. */
export function lostOutcome(
  task: Task,
  wasOverdue: boolean,
  exit: HostExit,
  redact: (text: string) => string,
): Outcome {
  const error = wasOverdue
    ? `timed out after ${task.timeout} s and held its process, which was ended (an endless loop?)`
    : hostExitText(exit, redact);
  return {
    status: 'error',
    output: null,
    scores: [],
    error,
    latency: null,
    regradable: false,
  };
}
