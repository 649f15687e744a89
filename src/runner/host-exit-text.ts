import type { HostExit } from './host-process.js';

/** One sentence on how a process ended, with the last it said. */
export function hostExitText({ code, signal, stderr }: HostExit): string {
  const how = outOfMemory.test(stderr)
    ? 'the process that ran it ran out of memory'
    : signal === null
      ? `the process that ran it ended with exit code ${code ?? 'unknown'}`
      : `the process that ran it was ended by ${signal}`;
  const last = stderr.trim().split('\n').slice(-10).join('\n');
  return last === '' ? how : `${how}; its last words:\n${last}`;
}

const outOfMemory = /heap out of memory|Allocation failed/;
