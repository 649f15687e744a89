import {
  type ExchangeAnswer,
  type ExchangeRequest,
  readExchange,
} from '../../calls/wire/read-exchange.js';
import type { ModelExchange } from '../../model/calls/model-call.js';

/** Reads a call as a model call; `undefined` for any other. Never throws. */
export function recognise(
  request: ExchangeRequest,
  answer: ExchangeAnswer | undefined,
): ModelExchange | undefined {
  try {
    return readExchange(request, answer);
  } catch {
    return undefined;
  }
}
