import type { GateVerdict } from './gates/gate-verdict.js';

/** Outcome of a command that runs evaluations. */
export interface RunEnding {
  /** The signal that interrupted it. */
  readonly signal?: 'SIGINT' | 'SIGTERM';
  /** The verdicts of the gates; empty if it was interrupted. */
  readonly gates: readonly GateVerdict[];
}

/** Exit code of a command that could not run: usage, settings, discovery, storage. */
export const exitCouldNotRun = 2;

/** 0: ran · 1: a gate failed · 2: a gate could not be judged · 130, 143: interrupted by a signal. */
export function exitCode({ signal, gates }: RunEnding): number {
  if (signal === 'SIGINT') return 130;
  if (signal === 'SIGTERM') return 143;
  if (gates.some((gate) => gate.verdict === 'cannot-tell')) return exitCouldNotRun;
  return gates.some((gate) => gate.verdict === 'no') ? 1 : 0;
}
