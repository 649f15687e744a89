import { readExchange, streamReader } from '../../../src/calls/wire/read-exchange.js';
import type { ModelExchange } from '../../../src/model/calls/model-call.js';
import { parseJson } from '../../../src/model/json.js';
import type { FakeExchange, FakeProvider } from '../../helpers/fake-provider.js';

/** What the fake provider says, and what it asks for where a model is called `…-fake-tool`. */
export const fakeText = 'Grüße aus Wien 👋, it is 21 °C.';
export const fakeUsage = { input: 120, cache_read: 100, output: 30 };
export const fakeToolCalls = [
  { id: 'call_1', name: 'weather', arguments: { city: 'Wien', days: [1, 2] } },
  { id: 'call_2', name: 'time', arguments: {} },
];

/** What is read from the last exchange with a provider. */
export function lastSeen(provider: FakeProvider): ModelExchange {
  const exchange = provider.exchanges.at(-1);
  if (exchange === undefined) throw new Error('no request came');
  return seen(exchange);
}

/** What is read from an exchange. */
function seen(exchange: FakeExchange): ModelExchange {
  const { request, answer } = exchange;
  const found = readExchange({ ...request, body: parseJson(request.body.toString()) }, answer);
  if (found === undefined) throw new Error(`not recognised: ${exchange.request.url}`);
  return found;
}

/** What is read from a stream of `…-fake-hold`, which the client leaves before its end. */
export async function leftSeen(provider: FakeProvider): Promise<ModelExchange> {
  for (;;) {
    const left = await provider.left();
    if (left.model.endsWith('fake-hold')) return seen(left);
  }
}

/** Reads an answer in chunks of a size; says in which chunks the first token and the end came. */
export function chunksOf(
  contentType: string | undefined,
  body: Uint8Array,
  cuts: readonly number[],
): { readonly firstToken: number; readonly ended: number } {
  const reader = streamReader(contentType);
  const bounds = [...new Set([0, ...cuts, body.length])].sort((a, b) => a - b);
  let [firstToken, ended] = [-1, -1];
  for (let at = 1; at < bounds.length; at += 1) {
    const told = reader.push(body.subarray(bounds[at - 1], bounds[at]));
    if (told.firstToken) firstToken = bounds[at] as number;
    if (told.ended) ended = bounds[at] as number;
  }
  return { firstToken, ended };
}
