import { shortageOf } from '../../errors.js';
import type { Task } from '../../protocol/messages.js';
import { errorOutcome, type Outcome } from '../../protocol/outcome.js';
import type { OrphanedTasks } from './assignments.js';
import { type HostExit, stderrKept } from './host-process.js';
import type { LostTasks, WorkerHandlers } from './worker-options.js';

const longestWords = 4096;
// At most this much of a secret can be left where text was cut at its start.
const longestSecret = 2048;

/** One sentence on how a process ended, with its last output; `redact` removes secrets from that. */
export function hostExitText(exit: HostExit, redact: (text: string) => string): string {
  const how = `the process that ran it ${howItEnded(exit)}`;
  const isCut = exit.stderr.length >= stderrKept;
  const said = redact(exit.stderr).slice(isCut ? longestSecret : 0);
  const last = said.trim().slice(-longestWords).split('\n').slice(-10).join('\n');
  return last === '' ? how : `${how}; its last output:\n${last}`;
}

function howItEnded({ code, signal, stderr, overflowed, failure }: HostExit): string {
  if (failure !== undefined) return `could not be started: ${startFailureText(failure)}`;
  if (overflowed) return 'sent a message of more than 96 MiB and was ended';
  if (outOfMemory.test(stderr)) return 'ran out of memory';
  if (signal === null) return `ended with exit code ${code ?? 'unknown'}`;
  return `was ended by ${signal}`;
}

/** The reason why a process could not be started. */
export function startFailureText(failure: Error): string {
  return shortageOf(failure) ?? failure.message;
}

const outOfMemory = /heap out of memory|Allocation failed/;

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
  handlers.work.onFinished([
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
