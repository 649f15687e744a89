import type { Run } from '../../api/client.js';
import type { RowSummary } from '../../api/schema.js';

/** Whether the run goes on, and some of the results that are counted are to come. */
export function isInProgress({ state }: Run, { unfinished }: RowSummary['counts']): boolean {
  return (state === 'running' || state === 'paused') && unfinished > 0;
}
