import type { ModelExchange } from '../../model/calls/model-call.js';
import type { JsonObject } from '../../model/result.js';
import { namedError } from './errors.js';
import { defined } from './json.js';

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
  /** End of its addresses, on any server. */
  readonly path: RegExp;
  /** Other servers have such addresses, too: an answer must have its shape. */
  readonly isSharedPath?: true;
  /** True when a request's body is of its shape. */
  isRequest(body: JsonObject): boolean;
  /** True when the answer, or an event of a streamed one, is of its shape. */
  isAnswer(event: JsonObject, name?: string): boolean;
  /** True when an event of a stream brings a part of the answer itself: text, reasoning, a tool call. */
  isToken(event: JsonObject, name?: string): boolean;
  /** True for the event behind which nothing comes. */
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
