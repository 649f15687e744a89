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
  const request = shortHash(JSON.stringify(inOrder({ method, url, body })), 32);
  return { request, own: shortHash(`${role}\n${request}`, 12) };
}

/** The same JSON whatever the order of keys. Faster than a function that `JSON.stringify` calls. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]) => [name, inOrder(field)]));
}
