import { isObject } from '../../model/json.js';
import type { Score } from '../../model/scores/score.js';
import { locationOf, messageText } from '../error-text.js';

/**
 * The failed score under `key` that a failed assertion means, with its message as notes and the user's line as
 * location; `undefined` for any other error.
 */
export function assertionScore(error: unknown, key: string, folder: string): Score | undefined {
  if (!isAssertionError(error)) return undefined;
  const location = locationOf(error, folder);
  return { key, passed: false, notes: messageText(error), ...(location && { location }) };
}

/**
 * True for failed assertions of node:assert, chai, and the `expect` of vitest and jest, whichever copy or realm made
 * them. Recognised by the name `AssertionError`, the code `ERR_ASSERTION`, or a `matcherResult`.
 */
function isAssertionError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  try {
    const { name, code, matcherResult } = error as Record<string, unknown>;
    return name === 'AssertionError' || code === 'ERR_ASSERTION' || isObject(matcherResult);
  } catch {
    return false; // what user code throws may have getters that throw
  }
}
