import { isThenable } from '../../authoring/thenable.js';
import type { Json } from '../../model/json.js';
import type { RecordedRequest, RecordingSource } from '../../recordings/recording.js';
import { shortHash } from '../../text/short-hash.js';

/** Removes the normalized paths from the JSON body of a request, and returns the rest, which is compared. */
export type NormalizeBody = (body: unknown) => unknown;

/** What tells a request from others. */
export interface RequestKey {
  /** Equal for equal requests, whoever makes them. */
  readonly request: string;
  /** Equal for equal requests of the same role. */
  readonly own: string;
}

/** Who asks for an exchange that its own recording does not have. */
export interface Asker {
  readonly source: RecordingSource;
  /** It has recorded exchanges of its own: what is missing there was not asked for then, or by somebody else. */
  readonly isRecorded: boolean;
  /** Number of equal requests before. */
  readonly turn: number;
  readonly normalize: NormalizeBody | undefined;
}

export function keyOf(
  role: string,
  request: RecordedRequest,
  normalize: NormalizeBody | undefined,
): RequestKey {
  const { method, url, body } = comparedRequest(request, normalize);
  const text = shortHash(sortedJson({ method, url, body }), 32);
  return { request: text, own: shortHash(`${role}\n${text}`, 12) };
}

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

/** JSON that is the same whatever the order of keys. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) =>
    typeof field === 'object' && field !== null && !Array.isArray(field)
      ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1)))
      : field,
  );
}
