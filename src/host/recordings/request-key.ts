import type { Json } from '../../model/result.js';
import type { RecordedRequest } from '../../recordings/recording.js';

/** Removes the normalized paths from the JSON body of a request, and returns the rest, which is compared. */
export type NormalizeBody = (body: unknown) => unknown;

/** Key of a request within an attempt: equal for requests that match. */
export function requestKey(
  role: string,
  { method, url, body }: RecordedRequest,
  normalize: NormalizeBody | undefined,
): string {
  return [
    role,
    method,
    url,
    body === undefined ? '' : canonicalJson(normalized(body, normalize)),
  ].join('\n');
}

/** The body as it is compared. */
export function normalized(
  body: RecordedRequest['body'],
  normalize: NormalizeBody | undefined,
): unknown {
  return normalize !== undefined && body !== undefined && 'json' in body
    ? { json: normalize(structuredClone(body.json)) }
    : body;
}

/** JSON with the keys of objects sorted. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) =>
    typeof field === 'object' && field !== null && !Array.isArray(field)
      ? Object.fromEntries(
          Object.entries(field as Record<string, Json>).sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : field,
  );
}
