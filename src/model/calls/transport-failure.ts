import type { StoredCall } from './stored-calls.js';

/**
 * True when the last call of a model got no answer, or one that says nothing of the request: 429 or 5xx. A call that was
 * aborted is none of these.
 */
export function failedInTransport(calls: readonly StoredCall[]): boolean {
  const last = calls.findLast(({ model_call }) => model_call !== undefined);
  if (last === undefined) return false;
  const { status, error, end } = last;
  if (status !== undefined) return status === 429 || status >= 500;
  return end !== undefined && error !== undefined && !/abort/i.test(error);
}
