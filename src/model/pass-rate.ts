import type { Summary } from './summary.js';

/** The pass rate of a run, with the counts it is made of. */
export interface PassRate {
  readonly passed: number;
  /** Results with a verdict, and errors. */
  readonly total: number;
  /** `passed / total`, a share from 0 to 1. */
  readonly estimate: number;
}

/** The pass rate of a run; `null` when nothing has a verdict or is an error. */
export function passRateOf({ passed, of: total }: Summary['verdicts']): PassRate | null {
  // Counts of a file that somebody changed may not fit each other.
  return total === 0 || passed > total ? null : { passed, total, estimate: passed / total };
}
