import { shortHash } from '../text/short-hash.js';
import type { RecordedRequest } from './recording.js';

/** What tells a request from others. */
export interface RequestKey {
  /** Equal for equal requests, whoever makes them. */
  readonly request: string;
  /** Equal for equal requests of the same role; names of files begin with it. */
  readonly own: string;
}

/** The key of a request, of which only what counts is left. */
export function keyOf(role: string, { method, url, body }: RecordedRequest): RequestKey {
  const request = shortHash(sortedJson({ method, url, body }), 32);
  return { request, own: shortHash(`${role}\n${request}`, 12) };
}

/** JSON that is the same whatever the order of keys. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) =>
    typeof field === 'object' && field !== null && !Array.isArray(field)
      ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1)))
      : field,
  );
}
