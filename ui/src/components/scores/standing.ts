import type { Standing } from '../../../../src/model/scores/verdict.js';
import type { TableRow } from '../../api/schema.js';
import type { StatusShape } from '../icons/icon-paths.js';

/** The state of a result, or of all trials of a case. */
export type CaseStanding = Standing | 'flaky';

/** The icon of each state. */
export const shapes: Readonly<Record<CaseStanding, StatusShape>> = {
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
export function standingOf(status: TableRow['status'], passed: boolean | null): CaseStanding {
  if (status !== 'completed') return status;
  return passed === null ? 'no_verdict' : passed ? 'passed' : 'failed';
}

/** The text for a state. */
export function standingText(standing: CaseStanding): string {
  return standing.replace('_', ' ');
}
