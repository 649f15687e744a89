import { stringify } from 'yaml';
import { redactCredentials } from '../../../text/credentials.js';
import { commentLines } from './code.js';

/** Counts what a translation takes over, and what it leaves. */
export interface Tally {
  /** Assertions or scorers as the original has them, each with whether it was translated. */
  readonly assertions: Map<object, boolean>;
  /** What has no translation, by its name, with how often. */
  readonly left: Map<string, number>;
}

export function newTally(): Tally {
  return { assertions: new Map(), left: new Map() };
}

export function leave({ left }: Tally, what: string): void {
  left.set(what, (left.get(what) ?? 0) + 1);
}

/** The lines of a comment for what has no translation: the reason, then the original, without credentials. */
export function leftComment(reason: string, original: unknown): string[] {
  const text =
    typeof original === 'string' ? original : stringify(original, { lineWidth: 90, merge: false });
  return [`TODO: ${reason}`, ...commentLines(redactCredentials(text)).map((line) => `  ${line}`)];
}
