import type { Origin } from '../../api/schema.js';

/** Where a result comes from that its run did not run: `carried over from tidy-maple`. */
export function originText({ kind, run_name }: Origin): string {
  return kind === 'carried'
    ? `carried over from ${run_name}`
    : `graded again, output from ${run_name}`;
}
