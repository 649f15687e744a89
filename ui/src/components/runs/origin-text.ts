import type { Origin } from '../../api/schema.js';

/** Where a result comes from that its run did not run: `carried over from tidy-maple`. */
export function originText({ kind, run_name, reason }: Origin): string {
  return kind === 'carried'
    ? `carried over from ${run_name}`
    : `graded again${reasonText(reason)}, output from ${run_name}`;
}

/** ` because of graders.ts (polite)`; empty if unknown. */
export function reasonText(reason: string | undefined): string {
  return reason === undefined ? '' : ` because of ${reason}`;
}
