import { unknownModelCall } from '../../calls/wire/looks-like-model-call.js';
import { mcpRequest } from '../../calls/wire/mcp-request.js';
import {
  type ExchangeAnswer,
  type ExchangeRequest,
  isModelAddress,
  readExchange,
} from '../../calls/wire/read-exchange.js';
import type { Call, ModelExchange } from '../../model/calls/model-call.js';
import { hasHost } from '../../text/host-matcher.js';
import type { BodyCapture } from './body-capture.js';

type Request = Omit<ExchangeRequest, 'body'> & { readonly body: BodyCapture };

/** Reads a call as a model call; `undefined` for any other. Never throws. */
export function recognise(
  request: Request,
  answer: ExchangeAnswer | undefined,
): ModelExchange | undefined {
  try {
    return readExchange({ ...request, body: request.body.json() }, answer);
  } catch {
    return undefined;
  }
}

/** What is said of a call that is no known model call. */
export type OtherRequest = Pick<Call, 'unknown_model_call' | 'mcp'>;

/** Reads a request that {@link recognise} does not know: one that looks like a model call, unless its host is none of models, or one of MCP. */
export function otherRequest({
  method,
  url,
  body,
  notModels = [],
  isOpaque,
  answer,
}: Request & {
  readonly notModels?: readonly string[] | undefined;
  readonly isOpaque?: true;
  readonly answer?: Pick<ExchangeAnswer, 'headers' | 'body'> | undefined;
}): OtherRequest {
  const json = body.json();
  const mcp = mcpRequest(json);
  if (mcp !== undefined) return { mcp };
  const isKnownAddress = isModelAddress({ method, url });
  const bytes = () => body.bytes();
  const isUnread = isOpaque === true && json === undefined;
  const seenAnswer = answer && { contentType: answer.headers['content-type'], body: answer.body };
  const asked = { method, url, json, bytes, isKnownAddress, answer: seenAnswer };
  const seen = unknownModelCall(asked);
  const unknown = seen ?? (isUnread ? {} : undefined);
  if (unknown === undefined || hasHost(url, notModels)) return {};
  return { unknown_model_call: unknown };
}
