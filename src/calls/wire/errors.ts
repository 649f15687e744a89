import type { Json, JsonObject } from '../../model/result.js';
import { jsonText, nameOf, objectOf } from './json.js';

const longest = 500;

/** A text as one line of at most 500 characters. */
export function oneLine(text: string): string {
  // More than enough, so that a text of megabytes is not gone through.
  const line = text
    .slice(0, 4 * longest)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

/** The error that an answer, or an event of a stream, names in its field `error`. */
export function namedError(answer: JsonObject): string | undefined {
  const { error } = answer;
  if (typeof error === 'string') return error === '' ? undefined : oneLine(error);
  const fields = objectOf(error);
  return fields === undefined ? undefined : (describe(fields) ?? oneLine(jsonText(fields)));
}

/** The error of an answer with an error's status: its field `error`, or the message itself. */
export function errorOf(answer: Json | undefined): string | undefined {
  const first = Array.isArray(answer) ? (answer as readonly Json[])[0] : answer;
  const fields = objectOf(first);
  if (fields === undefined) return undefined;
  return namedError(fields) ?? describe(fields);
}

function describe(fields: JsonObject): string | undefined {
  const message = nameOf(fields.message) ?? nameOf(fields.Message) ?? nameOf(fields.detail);
  const kind = [fields.type, fields.status, fields.code, fields.__type]
    .map(nameOf)
    .find((name) => name !== undefined && name !== 'error');
  if (message === undefined) return kind;
  return oneLine(kind === undefined ? message : `${kind}: ${message}`);
}
