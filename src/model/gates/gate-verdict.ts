import type { RowFacts } from '../result.js';
import type { Summary } from '../summary/summary.js';

/** The verdict of a gate on a run. */
export interface GateVerdict {
  readonly verdict: 'yes' | 'no' | 'cannot-tell';
  readonly text: string;
}

/** A row as far as gates look at it. */
type GatedRow = Pick<RowFacts, 'evaluation' | 'latency' | 'pruned' | 'usage'> & {
  /** Its target has finished. */
  readonly regradable?: boolean | undefined;
};

/** A run as far as gates look at it. */
export interface GatedRun {
  readonly rows: readonly GatedRow[];
  summary(): Summary;
}
