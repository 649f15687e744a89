import type { LostTasks } from './lane-options.js';

/** Describes what has to run again because a process ended, why, and how much time that costs. */
export function lostText({ holder, innocent, suspects, lostSeconds }: LostTasks): string {
  const cost = `${lostSeconds.toFixed(1)} s of their work is lost, and what they had asked of models is asked, and paid, again.`;
  if (holder === undefined && innocent.length === 0) {
    return `A process that ran ${count(suspects.length)} ended; each runs again by itself, to find out which one did it: ${cost}`;
  }
  const who = holder ?? 'An evaluation that had finished';
  const again = innocent.length + suspects.length;
  const itself = suspects.length > 0 ? ', and that one by itself' : '';
  return `${who} did not let go of its process, which was ended. ${count(again)} that ran in it ${again === 1 ? 'runs' : 'run'} again${itself}: ${cost}`;
}

function count(evaluations: number): string {
  return evaluations === 1 ? '1 evaluation' : `${evaluations} evaluations`;
}
