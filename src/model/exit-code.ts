import type { GateVerdict } from './gates.js';

/** How a command that runs evaluations came to its end. */
export interface RunEnding {
  /** The signal that ended it early. */
  readonly signal?: 'SIGINT' | 'SIGTERM';
  /** What the gates say, when it ran to its end. */
  readonly gates: readonly GateVerdict[];
}

/** Exit code of what could not run: usage, settings, discovery, storage. */
export const exitCouldNotRun = 2;

/** 0: it ran · 1: it ran and a gate said no · 2: a gate could not be applied · 130, 143: ended by a signal. */
export function exitCode({ signal, gates }: RunEnding): number {
  if (signal === 'SIGINT') return 130;
  if (signal === 'SIGTERM') return 143;
  if (gates.some((gate) => gate.verdict === 'cannot-tell')) return exitCouldNotRun;
  return gates.some((gate) => gate.verdict === 'no') ? 1 : 0;
}
