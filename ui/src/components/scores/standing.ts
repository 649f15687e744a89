import type { TableRow } from '../../api/schema.js';
import type { StatusShape } from '../icons/status-paths.js';

/** The state of a result, or of all trials of a case. */
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

/** The icon of each state. */
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

/** The state for a status and a verdict. */
export function standingOf(status: TableRow['status'], passed: boolean | null): Standing {
  if (status !== 'completed') return status;
  return passed === null ? 'no_verdict' : passed ? 'passed' : 'failed';
}

/** The text for a state. */
export function standingText(standing: Standing): string {
  return standing.replace('_', ' ');
}
