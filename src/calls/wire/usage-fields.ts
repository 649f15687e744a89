import type { TokenUsage } from '../../model/calls/model-call.js';
import type { Json, JsonObject } from '../../model/result.js';
import { countOf, defined, objectOf, sumOf } from './json.js';

/** Usage without the fields that are not known; absent when none is. */
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
