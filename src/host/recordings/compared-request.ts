import { isThenable } from '../../authoring/thenable.js';
import { isSameJson, type Json } from '../../model/json.js';
import type { RecordedRequest } from '../../recordings/recording.js';

/** Removes the normalized paths from the JSON body of a request, and returns the rest, which is compared. */
export type NormalizeBody = (body: unknown) => unknown;

/** What counts when a request is compared with others of the same attempt. */
export interface ComparedRequest {
  readonly role: string;
  readonly method: string;
  readonly url: string;
  readonly body: Json | undefined;
}

export function comparedRequest(
  role: string,
  { method, url, body }: RecordedRequest,
  normalize: NormalizeBody | undefined,
): ComparedRequest {
  if (normalize === undefined || body === undefined || !('json' in body)) {
    return { role, method, url, body: body as Json | undefined };
  }
  return { role, method, url, body: { json: normalizedJson(body.json, normalize) } };
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

export function isSameRequest(a: ComparedRequest, b: ComparedRequest): boolean {
  return (
    a.role === b.role &&
    a.method === b.method &&
    a.url === b.url &&
    (a.body === b.body ||
      (a.body !== undefined && b.body !== undefined && isSameJson(a.body, b.body)))
  );
}
