import { hash } from 'node:crypto';
import type { Json } from './result.js';

/** Identifies an output without keeping it: 16 hex digits of the SHA-256 of its JSON. */
export function outputHash(output: Json): string {
  return hash('sha256', JSON.stringify(output)).slice(0, 16);
}

/** What stands in place of a value that an export leaves out. */
export const leftOut = '[redacted]';

/** The same of an output that may have been left out; `undefined` for one that was. */
export function exportedOutputHash(output: Json): string | undefined {
  return output === leftOut ? undefined : outputHash(output);
}
