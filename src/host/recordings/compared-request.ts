import { isThenable } from '../../authoring/thenable.js';
import type { Json } from '../../model/json.js';
import type { RecordedRequest } from '../../recordings/recording.js';
import { keyOf, type RequestKey } from '../../recordings/request-key.js';

/** Removes the normalized paths from the JSON body of a request, and returns the rest, which is compared. */
export type NormalizeBody = (body: unknown) => unknown;

/** A request without what does not count. */
export function comparedRequest(
  { method, url, body }: RecordedRequest,
  normalize: NormalizeBody | undefined,
): RecordedRequest {
  if (normalize === undefined || body === undefined || !('json' in body)) {
    return { method, url, ...(body && { body }) };
  }
  return { method, url, body: { json: normalizedJson(body.json, normalize) } };
}

/** What tells a request from others, by what of it counts. Error: {@link NormalizeProblem}. */
export function comparedKey(
  role: string,
  request: RecordedRequest,
  normalize: NormalizeBody | undefined,
): RequestKey {
  return keyOf(role, comparedRequest(request, normalize));
}

/** The problem of a `normalize` of the user, as a sentence without its full stop. */
export class NormalizeProblem extends Error {}

function normalizedJson(body: Json, normalize: NormalizeBody): Json {
  let normalized: unknown;
  try {
    normalized = normalize(structuredClone(body));
    // As JSON has it: a field may have been set to undefined.
    if (!isThenable(normalized)) return JSON.parse(JSON.stringify(normalized) ?? 'null');
  } catch (error) {
    const [reason] = String(error).split('\n');
    throw new NormalizeProblem(`normalize failed: ${reason}`);
  }
  throw new NormalizeProblem('normalize returned a promise; it must return the body itself');
}
