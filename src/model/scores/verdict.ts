import { hasVerdict, passes, type ResultStatus, type RowFacts } from '../result.js';

/** The possible verdicts on a completed result. */
export const verdicts = ['passed', 'failed', 'no_verdict'] as const;
type Verdict = (typeof verdicts)[number];

/** The state of a result: its verdict if it completed, else its status. */
export type Standing = Verdict | Exclude<ResultStatus, 'completed'> | 'pruned';

/** The state of a result. */
export function standingOf(row: Pick<RowFacts, 'status' | 'scores' | 'pruned'>): Standing {
  if (row.pruned === true) return 'pruned';
  if (row.status !== 'completed') return row.status;
  if (!hasVerdict(row)) return 'no_verdict';
  return passes(row) ? 'passed' : 'failed';
}

/** The verdict in the API and UI; `null` if there is none. */
export function passedOf(row: Pick<RowFacts, 'status' | 'scores'>): boolean | null {
  return hasVerdict(row) ? passes(row) : null;
}
