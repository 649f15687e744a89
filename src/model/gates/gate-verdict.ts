import type { ReviewedRun } from '../calibration/judgements.js';
import type { RowFacts } from '../result.js';
import type { Summary } from '../summary/summary.js';

/** The verdict of a gate on a run. */
export interface GateVerdict {
  readonly verdict: 'yes' | 'no' | 'cannot-tell';
  readonly text: string;
}

export function cannotJudge(what: string, why: string): GateVerdict {
  return { verdict: 'cannot-tell', text: `${what} cannot be judged: ${why}` };
}

/** The fields of a row that gates use. */
type GatedRow = Pick<
  RowFacts,
  | 'id'
  | 'trial_of'
  | 'cluster'
  | 'evaluation'
  | 'latency'
  | 'pruned'
  | 'usage'
  | 'origin'
  | 'status'
  | 'scores'
  | 'counted'
  | 'verifies'
> & {
  /** Its target has finished. */
  readonly regradable?: boolean | undefined;
};

/** The fields of a run that gates use. */
export interface GatedRun {
  readonly rows: readonly GatedRow[];
  summary(): Summary;
  /** What corrected rates need to know; absent if no gate asks for one. */
  readonly judges?: Pick<ReviewedRun, 'judgeOf' | 'rubricOf'> | undefined;
}
