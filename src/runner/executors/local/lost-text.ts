import type { LostTasks } from './worker-options.js';

/** Describes what has to run again because a process ended, why, and how much time that costs. */
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
