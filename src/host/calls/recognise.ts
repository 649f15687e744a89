import {
  type ExchangeAnswer,
  type ExchangeRequest,
  readExchange,
} from '../../calls/wire/read-exchange.js';
import type { ModelExchange } from '../../model/calls/model-call.js';

/** What a call says as a call of a model; `undefined` for any other. Never throws: reading fails without harm to the call. */
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
