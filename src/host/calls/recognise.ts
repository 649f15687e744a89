import {
  type ExchangeAnswer,
  type ExchangeRequest,
  readExchange,
} from '../../calls/wire/read-exchange.js';
import type { ModelExchange } from '../../model/calls/model-call.js';
import type { BodyCapture } from './body-capture.js';

/** Reads a call as a model call; `undefined` for any other. Never throws. */
export function recognise(
  request: Omit<ExchangeRequest, 'body'> & { readonly body: BodyCapture },
  answer: ExchangeAnswer | undefined,
): ModelExchange | undefined {
  try {
    return readExchange({ ...request, body: request.body.json() }, answer);
  } catch {
    return undefined;
  }
}
