import { shortageOf } from '../../../errors.js';
import { type HostExit, stderrKept } from './host-process.js';

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
