import type { TokenUsage } from '../../model/calls/model-call.js';
import type { Json, JsonObject } from '../../model/result.js';
import { countOf, defined, fieldsOf, objectOf, objectsOf, sumOf } from './json.js';

/** Usage without unknown fields; `undefined` when all are unknown. */
export function usageOf(
  usage: {
    readonly [Field in keyof TokenUsage]?: number | undefined;
  },
): TokenUsage | undefined {
  const known = defined(usage);
  return Object.keys(known).length === 0 ? undefined : known;
}

/** Usage as chat completions and legacy completions count it. */
export function completionUsage(usage: JsonObject): TokenUsage | undefined {
  const details = objectOf(usage.prompt_tokens_details);
  const output = countOf(usage.completion_tokens);
  const reasoning = countOf(objectOf(usage.completion_tokens_details)?.reasoning_tokens);
  const total = countOf(usage.total_tokens);
  // Some servers (xAI) count reasoning beside the completion, which their total shows.
  const isApart =
    reasoning !== undefined && total === sumOf(countOf(usage.prompt_tokens), output, reasoning);
  return usageOf({
    input: countOf(usage.prompt_tokens),
    cache_read: countOf(details?.cached_tokens) ?? countOf(usage.prompt_cache_hit_tokens),
    cache_write: countOf(details?.cache_write_tokens),
    output: isApart ? sumOf(output, reasoning) : output,
    reasoning,
    input_audio: positive(details?.audio_tokens),
    output_audio: positive(objectOf(usage.completion_tokens_details)?.audio_tokens),
  });
}

/** A count that most answers have as 0. */
function positive(value: Json | undefined): number | undefined {
  return countOf(value) || undefined;
}

/** Usage of providers that count cached input beside the other input: the sum is the input. */
export function usageWithCacheApart(counts: {
  readonly input: number | undefined;
  readonly cacheRead: number | undefined;
  readonly cacheWrite: number | undefined;
  readonly cacheWrite1h?: number | undefined;
  readonly output: number | undefined;
  readonly reasoning?: number | undefined;
}): TokenUsage | undefined {
  return usageOf({
    input: sumOf(counts.input, counts.cacheRead, counts.cacheWrite),
    cache_read: counts.cacheRead,
    cache_write: counts.cacheWrite,
    cache_write_1h: counts.cacheWrite1h || undefined,
    output: counts.output,
    reasoning: counts.reasoning,
  });
}

/** The US dollars that a usage, or the answer around it, says the provider charges. */
export function reportedCost(event: JsonObject): number | undefined {
  const answer = objectOf(event.response) ?? objectOf(event.message) ?? event;
  const usage = objectOf(answer.usage) ?? objectOf(event.usage);
  return (usage && costOf(usage)) ?? costAtGateway(answer);
}

/** Vercel's AI Gateway says what it debited, and the market rate, which users with their own key pay the provider. */
function costAtGateway(answer: JsonObject): number | undefined {
  const choices = objectsOf(answer.choices);
  const said = [answer, ...fieldsOf(choices, 'message'), ...fieldsOf(choices, 'delta')];
  const [gateway] = fieldsOf(fieldsOf(said, 'provider_metadata'), 'gateway');
  const [debited, market] = [dollarsOf(gateway?.cost), dollarsOf(gateway?.marketCost)];
  return debited === 0 ? market : debited;
}

/** A number, or a text of decimals. */
function dollarsOf(value: Json | undefined): number | undefined {
  return countOf(typeof value === 'string' && value.trim() !== '' ? Number(value) : value);
}

function costOf(usage: JsonObject): number | undefined {
  const { cost, cost_details: details, is_byok: isOwnKey } = usage;
  const charged = countOf(cost);
  // With a key of one's own, the gateway charges its fee, and the provider behind it the rest.
  if (charged !== undefined && isOwnKey === true) {
    const upstream = countOf(objectOf(details)?.upstream_inference_cost);
    return upstream === undefined ? undefined : charged + upstream;
  }
  // OpenRouter and others; Perplexity; LLM Gateway; DeepInfra.
  const inDollars = [
    ...[cost, objectOf(cost)?.total_cost, usage.cost_usd_total],
    ...[usage.total_cost, usage.estimated_cost],
  ];
  const dollars = inDollars.map(countOf).find((one) => one !== undefined);
  // xAI counts in ten billionths of a dollar.
  const ticks = countOf(usage.cost_in_usd_ticks);
  return dollars ?? (ticks === undefined ? undefined : ticks / 1e10);
}

/** The cost in the header of a LiteLLM proxy, which is not known when a stream begins. */
export function costInHeaders(
  headers: { readonly [name: string]: string | undefined },
  isStream: boolean,
): number | undefined {
  const given = headers['x-litellm-response-cost']?.trim() ?? '';
  return isStream || given === '' ? undefined : countOf(Number(given) as Json);
}
