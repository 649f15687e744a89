import { hasVerdict, passes, type ResultStatus, type RowFacts } from './result.js';

/** What grading a completed result came to. */
export const verdicts = ['passed', 'failed', 'no_verdict'] as const;
export type Verdict = (typeof verdicts)[number];

/** How a result stands: by its verdict when it completed, else by its status. */
export type Standing = Verdict | Exclude<ResultStatus, 'completed'> | 'pruned';

/** How a result stands. */
export function standingOf(row: Pick<RowFacts, 'status' | 'scores' | 'pruned'>): Standing {
  if (row.pruned === true) return 'pruned';
  if (row.status !== 'completed') return row.status;
  if (!hasVerdict(row)) return 'no_verdict';
  return passes(row) ? 'passed' : 'failed';
}

/** The verdict as API and UI show it: `null` when there is none. */
export function passedOf(row: Pick<RowFacts, 'status' | 'scores'>): boolean | null {
  return hasVerdict(row) ? passes(row) : null;
}
