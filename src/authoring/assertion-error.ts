/**
 * True for failed assertions of node:assert, chai, and the `expect` of vitest and jest, whichever copy or realm made
 * them. Recognised by the name `AssertionError`, the code `ERR_ASSERTION`, or a `matcherResult`.
 */
export function isAssertionError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  try {
    const { name, code, matcherResult } = error as Record<string, unknown>;
    return name === 'AssertionError' || code === 'ERR_ASSERTION' || isRefusal(matcherResult);
  } catch {
    return false; // what user code throws may have getters that throw
  }
}

function isRefusal(matcherResult: unknown): boolean {
  return typeof matcherResult === 'object' && matcherResult !== null;
}
