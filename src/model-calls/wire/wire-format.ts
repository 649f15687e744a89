import type { ModelExchange } from '../../model/calls/model-call.js';
import type { Json, JsonObject } from '../../model/result.js';
import { defined, jsonText, nameOf, objectOf } from './json.js';

/** Contents of the request of an exchange. */
export type AskedPart = Pick<ModelExchange, 'model' | 'messages' | 'tools' | 'parameters'>;

/** Contents of the answer of an exchange. */
export type AnsweredPart = Pick<
  ModelExchange,
  'response_model' | 'response_id' | 'answer' | 'finish_reason' | 'usage' | 'error'
>;

/** Puts an answer together from its events; an answer that is no stream is one event. */
export interface AnswerReader {
  push(event: JsonObject, name?: string): void;
  read(): AnsweredPart;
}

/** One way in which providers take requests and answer them. */
export interface WireFormat {
  readonly provider: string;
  readonly operation: string;
  /** Matches the end of its addresses, on any server. */
  readonly path: RegExp;
  /** Other services have such addresses, too, so the answer decides. */
  readonly isSharedPath?: true;
  /** Nothing in its requests and answers is specific to it, only its address. */
  readonly isKnownByPath?: true;
  /** True when a request's body is of its shape. */
  isRequest(body: JsonObject): boolean;
  /** True when the answer, or an event of a streamed one, is of its shape. */
  isAnswer(event: JsonObject, name?: string): boolean;
  /** True when an event of a stream brings a part of the answer itself: text, reasoning, a tool call. */
  isToken(event: JsonObject, name?: string): boolean;
  /** True for the last event of a stream. */
  isEnd(event: JsonObject, name?: string): boolean;
  readRequest(body: JsonObject, path: string): AskedPart;
  answerReader(): AnswerReader;
}

/** Reads an answer that is never streamed. */
export function lastAnswer(read: (answer: JsonObject) => object): AnswerReader {
  let last: JsonObject = {};
  return {
    push: (answer) => {
      last = answer;
    },
    read: () => defined({ ...read(last), error: namedError(last) }),
  };
}

/** For answers that are never streamed. */
export const noStream = { isToken: () => false, isEnd: () => false } as const;

/** An address without its query. */
export function pathOf(url: string): string {
  return url.replace(/[?#].*$/s, '');
}

/** The part of an address that a pattern captures, decoded if possible. */
export function partOfPath(path: string, pattern: RegExp): string | undefined {
  const part = pattern.exec(path)?.[1];
  if (part === undefined) return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

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
