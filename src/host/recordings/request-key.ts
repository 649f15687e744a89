import type { Json } from '../../model/result.js';
import type { RecordedRequest } from '../../recordings/recording.js';

/** Removes the normalized paths from the JSON body of a request, and returns the rest, which is compared. */
export type NormalizeBody = (body: unknown) => unknown;

/** A request as it is compared: two that are deeply equal differ in nothing that counts. */
export function comparedRequest(
  { method, url, body }: RecordedRequest,
  normalize: NormalizeBody | undefined,
): RecordedRequest {
  if (body === undefined) return { method, url };
  if (normalize === undefined || !('json' in body)) return { method, url, body };
  return { method, url, body: { json: asJson(normalize(structuredClone(body.json))) } };
}

/** A value as JSON has it, without fields that are `undefined`. */
function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value) ?? 'null') as Json;
}

/** A text that is equal for requests of an attempt that differ in nothing that counts. */
export function requestKey(
  role: string,
  request: RecordedRequest,
  normalize: NormalizeBody | undefined,
): string {
  const { method, url, body } = comparedRequest(request, normalize);
  return [role, method, url, body === undefined ? '' : canonicalJson(body)].join('\n');
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
