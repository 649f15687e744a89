import type { ModelExchange } from '../../../src/model/calls/model-call.js';
import { parseJson } from '../../../src/model/json.js';
import { firstTokenAt, readExchange } from '../../../src/model-calls/wire/read-exchange.js';
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

/** Reads an answer in chunks; after how many bytes the first token is known. */
export function firstTokenIn(
  contentType: string | undefined,
  body: Uint8Array,
  cuts: readonly number[],
): number | undefined {
  const bounds = [...new Set([0, ...cuts, body.length])].sort((a, b) => a - b);
  const chunks = bounds
    .slice(1)
    .map((to, at) => ({ at: to, bytes: body.subarray(bounds[at], to) }));
  return firstTokenAt(contentType, chunks);
}
