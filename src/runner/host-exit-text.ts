import type { HostExit } from './host-process.js';

/** One sentence on how a process ended, with the last it said. */
export function hostExitText(exit: HostExit): string {
  const how = `the process that ran it ${howItEnded(exit)}`;
  const last = exit.stderr.trim().split('\n').slice(-10).join('\n');
  return last === '' ? how : `${how}; its last words:\n${last}`;
}

function howItEnded({ code, signal, stderr, overflowed }: HostExit): string {
  if (overflowed) return 'sent a message of more than 96 MiB and was ended';
  if (outOfMemory.test(stderr)) return 'ran out of memory';
  if (signal === null) return `ended with exit code ${code ?? 'unknown'}`;
  return `was ended by ${signal}`;
}

const outOfMemory = /heap out of memory|Allocation failed/;
