import type { Json, JsonObject } from '../../model/result.js';
import { countOf, fieldsOf, objectOf, objectsOf } from './json.js';

/** The US dollars that a usage, or the answer around it, says the provider charges. */
export function reportedCost(event: JsonObject): number | undefined {
  const answer = objectOf(event.response) ?? objectOf(event.message) ?? event;
  const usage = objectOf(answer.usage) ?? objectOf(event.usage);
  return (usage && costOf(usage)) ?? costAtGateway(answer);
}

/** Vercel's AI Gateway says what it debited and the market rate, which whoever has a key of their own pays the provider. */
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

/** The same from the header of a LiteLLM proxy, which cannot know it of a stream that has only begun. */
export function costInHeaders(
  headers: { readonly [name: string]: string | undefined },
  isStream: boolean,
): number | undefined {
  const given = headers['x-litellm-response-cost']?.trim() ?? '';
  return isStream || given === '' ? undefined : countOf(Number(given) as Json);
}
