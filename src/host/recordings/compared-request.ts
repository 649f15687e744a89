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
  const normalized = { json: normalize(structuredClone(body.json)) };
  // As JSON has it: a field may have been set to undefined.
  return { role, method, url, body: JSON.parse(JSON.stringify(normalized)) };
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
