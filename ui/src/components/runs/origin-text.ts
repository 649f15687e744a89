import type { Origin } from '../../api/schema.js';

/** Where a result comes from that its run did not run: `carried over from tidy-maple`. */
export function originText({ kind, run_name }: Origin): string {
  return `${originVerb(kind)} ${run_name}`;
}

/** What was done with the result of the run that follows. */
export function originVerb(kind: Origin['kind']): string {
  return kind === 'carried' ? 'carried over from' : 'graded again, output from';
}

/** What the reason of a result says, as a tooltip. */
export const reasonMeaning = 'Why it ran, or was graded again';
