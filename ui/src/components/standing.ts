import type { TableRow } from '../api/schema.js';
import type { StatusShape } from './status-paths.js';

/** How a result, or all trials of one, stands. */
export type Standing =
  | 'passed'
  | 'failed'
  | 'error'
  | 'flaky'
  | 'running'
  | 'pending'
  | 'cancelled'
  | 'not_started'
  | 'no_verdict'
  | 'pruned';

/** The shape of each standing. */
export const shapes: Readonly<Record<Standing, StatusShape>> = {
  passed: 'pass',
  failed: 'fail',
  error: 'error',
  flaky: 'flaky',
  running: 'running',
  pending: 'pending',
  cancelled: 'cancelled',
  not_started: 'none',
  no_verdict: 'none',
  pruned: 'cancelled',
};

/** How a result of a status and a verdict stands. */
export function standingOf(status: TableRow['status'], passed: boolean | null): Standing {
  if (status !== 'completed') return status;
  return passed === null ? 'no_verdict' : passed ? 'passed' : 'failed';
}

/** The words for a standing. */
export function standingText(standing: Standing): string {
  return standing.replace('_', ' ');
}
