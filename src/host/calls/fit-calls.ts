import type { StoredCalls } from '../../model/calls/stored-calls.js';
import type { Json } from '../../model/result.js';
import { cutMiddle } from '../../text/cut-middle.js';

const longestText = 64 * 1024;
const shortestText = 64;

/** The calls, with the middle of long texts cut so that they fit; the same array if they fit already. */
export function fitCalls(calls: StoredCalls, maxMib = 2): StoredCalls {
  const maxBytes = maxMib * 1024 * 1024;
  if (mostBytesOf(calls) <= maxBytes || bytesOf(calls) <= maxBytes) return calls;
  for (let longest = longestText; longest >= shortestText; longest /= 4) {
    const fitted = { ...(cutTexts(calls as unknown as Json, longest) as object), cut: true };
    if (bytesOf(fitted) <= maxBytes) return fitted as StoredCalls;
  }
  // Thousands of calls, or of messages: what they cost is kept.
  return { ...withoutExchangeTexts(calls), texts: [], cut: true };
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Bytes that the JSON of a value has at most: escapes make text up to six times as long. */
function mostBytesOf(value: unknown): number {
  if (typeof value === 'string') return 6 * value.length + 3;
  if (typeof value !== 'object' || value === null) return 25;
  let bytes = 3;
  for (const [name, field] of Object.entries(value))
    bytes += 6 * name.length + 4 + mostBytesOf(field);
  return bytes;
}

function cutTexts(value: Json, longest: number): Json {
  if (typeof value === 'string') return cutMiddle(value, longest);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => cutTexts(item, longest));
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, cutTexts(field, longest)]),
  );
}

function withoutExchangeTexts({ calls, spans }: StoredCalls): Pick<StoredCalls, 'calls' | 'spans'> {
  return {
    ...(spans && { spans: spans.map(({ arguments: _, result, attributes, ...span }) => span) }),
    calls: calls.map(({ model_call, ...call }) => {
      if (model_call === undefined) return call;
      const { messages, answer, tools, tool_calls, parameters, ...exchange } = model_call;
      return { ...call, model_call: exchange };
    }),
  };
}
