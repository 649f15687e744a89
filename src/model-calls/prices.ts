import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { ModelPrice, OwnPrices } from '../model/calls/call-rules.js';
import type { Call, ModelExchange, TokenUsage } from '../model/calls/model-call.js';
import type { StoredCalls } from '../model/calls/stored-calls.js';
import { costsNothing, hasAllTokens, mayCost } from '../model/calls/usage.js';
import { providerOfHost } from './wire/provider-of-host.js';

/** The fields of a call that its price depends on. */
export type PricedCall = Pick<Call, 'url' | 'status' | 'error'> & {
  readonly model_call?: Pick<
    ModelExchange,
    'provider' | 'operation' | 'model' | 'response_model' | 'usage' | 'cut' | 'reported_cost'
  >;
};

/** The prices of a run. */
interface Prices {
  /** Name and version of the price list, for the run's record; absent when it could not be loaded. */
  readonly source?: string;
  /** US dollars; 0 for a call that failed before it cost anything, `null` when the cost is not known. Never throws. */
  priceOf(call: PricedCall): number | null;
  /** The provider that a user's own price names, where the address of the call does not tell. */
  providerOf(call: PricedCall): string | undefined;
}

/** The part of `@pydantic/genai-prices` that is used. */
type GenaiPrices = Pick<typeof import('@pydantic/genai-prices'), 'calcPrice' | 'findProvider'>;

type GenaiModelPrice = import('@pydantic/genai-prices').ModelPrice;

interface PriceList extends Pick<GenaiPrices, 'calcPrice'> {
  /** Prices of models that are the same at any time, by provider and model; `null` for a model that is not in the list. */
  readonly fixed: Map<string, GenaiModelPrice | null>;
  /** The provider whose own address it is; absent for proxies and loopback. */
  readonly hostProvider: (url: string) => string | undefined;
}

/** Loads the list of prices: about 0.1 s and 20 MB, so only when the first call is priced. Never throws. */
export async function loadPrices(own: OwnPrices = {}): Promise<Prices> {
  const byModel = new Map(Object.entries(own));
  try {
    const { calcPrice, findProvider } = await import('@pydantic/genai-prices');
    const list = { calcPrice, fixed: new Map(), hostProvider: hostProviders(findProvider) };
    const source = await versionOfList();
    return { source, ...pricesOf(byModel, list) };
  } catch {
    return pricesOf(byModel, undefined);
  }
}

function pricesOf(own: ReadonlyMap<string, ModelPrice>, list: PriceList | undefined): Prices {
  return {
    priceOf: (call) => priceOf(call, own, list),
    providerOf: ({ url, model_call: exchange }) =>
      exchange && providerOfHost(url) === undefined
        ? ownEntry(own, namesOf(exchange))?.provider
        : undefined,
  };
}

function ownEntry(own: ReadonlyMap<string, ModelPrice>, names: readonly string[]) {
  return names.map((name) => own.get(name)).find((found) => found !== undefined);
}

async function versionOfList(): Promise<string> {
  const main = createRequire(import.meta.url).resolve('@pydantic/genai-prices');
  const text = await readFile(new URL('../package.json', pathToFileURL(main)), 'utf8');
  const { name, version } = JSON.parse(text) as { name: string; version: string };
  return `${name} ${version}`;
}

function priceOf(
  call: PricedCall,
  own: ReadonlyMap<string, ModelPrice>,
  list: PriceList | undefined,
): number | null {
  const { model_call: exchange } = call;
  if (costsNothing(call)) return 0;
  if (exchange === undefined) return null;
  if (exchange.reported_cost !== undefined) return exchange.reported_cost;
  const names = namesOf(exchange);
  const entry = ownEntry(own, names);
  const price = entry && (entry.input !== undefined || entry.searches !== undefined) ? entry : null;
  if (price?.input === 0 && price.output === 0) return searchPrice(price, exchange.usage);
  if (names.some((name) => freeModerations.test(name))) return 0;
  if (price !== null && exchange.usage?.searches !== undefined) {
    return searchPrice(price, exchange.usage);
  }
  const usage = wholeUsage(exchange);
  if (usage === undefined) return null;
  if (price !== null) return ownPrice(price, usage);
  if (list === undefined) return null;
  const from = { url: call.url, provider: exchange.provider, named: entry?.provider };
  return listPrice(list, from, names, usage);
}

/** Models of OpenAI that cost nothing. */
const freeModerations = /^(omni|text)-moderation/;

function searchPrice(
  { searches: price }: ModelPrice,
  { searches = 0 }: TokenUsage = {},
): number | null {
  if (searches === 0) return 0;
  return price === undefined ? null : (price * searches) / 1000;
}

/** Usage with known input and output. */
type WholeUsage = TokenUsage & { readonly input: number; readonly output: number };

/** The billed tokens; absent when they are incomplete or contradictory. */
function wholeUsage(exchange: NonNullable<PricedCall['model_call']>): WholeUsage | undefined {
  const { usage } = exchange;
  if (usage?.input === undefined || !hasAllTokens(exchange)) return undefined;
  const { input, output = 0, billed_input, billed_output, ...parts } = usage;
  if (billed_input !== undefined || billed_output !== undefined) {
    return { input: billed_input ?? input, output: billed_output ?? output };
  }
  const { cache_read = 0, cache_write = 0, cache_write_1h = 0 } = parts;
  const isPossible = cache_read + cache_write <= input && cache_write_1h <= cache_write;
  return isPossible ? { ...parts, input, output } : undefined;
}

function ownPrice(
  { input = 0, cached = input, output }: ModelPrice,
  usage: WholeUsage,
): number | null {
  const { cache_read = 0 } = usage;
  if (output === undefined && usage.output > 0) return null;
  return (
    ((usage.input - cache_read) * input + cache_read * cached + usage.output * (output ?? 0)) /
    1_000_000
  );
}

/**
 * The names to look up the price of a model by, the more exact one first: the model of the answer, then that of the
 * request, each unchanged and without a prefix: `models/`, an ARN, a location.
 */
function namesOf({
  provider,
  model,
  response_model: answered,
}: NonNullable<PricedCall['model_call']>) {
  // Bedrock answers in the maker's words, but has prices of its own.
  const said = provider === 'aws.bedrock' ? [model, answered] : [answered, model];
  const names = said.flatMap((name) => (name === undefined ? [] : [name, plainName(name)]));
  return [...new Set(names)];
}

function plainName(model: string): string {
  return model.startsWith('arn:') ? model.replace(/^.*\//, '') : model.replace(/^.*models\//, '');
}

/** Models with open weights, which anyone may host: only the price of a known host counts. */
const openWeights =
  /gpt-oss|gemma|llama|mi[sx]tral-?(\d|nemo)|mistralai\/|codestral-mamba|qwen|deepseek-(r1|v\d|coder)|deepseek-ai\/|phi-?\d|glm-|kimi-|minimax|olmo|nemotron/i;

/** Names of providers in the price list. A local Ollama has no price. */
const listedProvider: Readonly<Record<string, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'google',
  'aws.bedrock': 'aws',
  cohere: 'cohere',
};

/** Vendors before the names of models, as gateways write them. */
const vendor = /^(openai|anthropic|google|gemini|mistral|deepseek|xai|x-ai|cohere|bedrock|azure)\//;
const vendorProvider: Readonly<Record<string, string>> = {
  gemini: 'google',
  xai: 'x-ai',
  bedrock: 'aws',
  'aws.bedrock': 'aws',
  moonshot: 'moonshotai',
  voyage: 'voyageai',
};

function listPrice(
  list: PriceList,
  { url, provider, named }: { url: string; provider: string; named: string | undefined },
  names: readonly string[],
  usage: WholeUsage,
): number | null {
  const calculate: Calculate = (model, provider) => calculated(list, usage, model, provider);
  const host = list.hostProvider(url) ?? (named && (vendorProvider[named] ?? named));
  // Hosts that are not in the list mostly speak OpenAI's wire format.
  const isListed = listedProvider[provider] !== undefined || providerOfHost(url) === undefined;
  const wire = isListed ? provider : 'openai';
  const mayBeHosted = wire === 'openai' && names.some((name) => openWeights.test(name));
  if (host === undefined && mayBeHosted) return null;
  for (const name of names) {
    const price = host === undefined ? priceByWire(wire, name, calculate) : calculate(name, host);
    if (price !== null) return price;
  }
  return null;
}

/** The parts of input and output that may have prices of their own, as the list calls them before `_tokens` and `_mtok`. */
const listedTokens = [
  ['cache_read', 'cache_read'],
  ['cache_write', 'cache_write'],
  ['cache_write_1h', 'cache_write_1h'],
  ['reasoning', 'output_reasoning'],
  ['input_audio', 'input_audio'],
  ['output_audio', 'output_audio'],
] as const;

type Calculate = (model: string, provider?: string) => number | null;

/** The price for an address that names no provider, such as a proxy or loopback. */
function priceByWire(wire: string, name: string, calculate: Calculate): number | null {
  const provider = listedProvider[wire];
  if (provider === undefined) return null;
  if (provider !== 'openai') return calculate(name, provider);
  return calculate(name, provider) ?? byName(name, calculate);
}

/** Many providers and gateways use OpenAI's wire format: the model's name says whose it is. */
function byName(model: string, calculate: Calculate): number | null {
  const found = vendor.exec(model)?.[1];
  if (found === undefined) return calculate(model);
  return calculate(model.slice(found.length + 1), vendorProvider[found] ?? found);
}

/** Looks each address up once: the list has a pattern for each provider. */
function hostProviders(findProvider: GenaiPrices['findProvider']): PriceList['hostProvider'] {
  const known = new Map<string, string | undefined>();
  return (url) => {
    const address = url.split('?', 1)[0] ?? url;
    if (!known.has(address)) known.set(address, findHost(findProvider, address));
    return known.get(address);
  };
}

function findHost(
  findProvider: GenaiPrices['findProvider'],
  providerApiUrl: string,
): string | undefined {
  try {
    return findProvider({ providerApiUrl })?.id;
  } catch {
    return undefined;
  }
}

/** Finds the model and its prices only once, because that takes longer than everything else that is done with a call. */
function calculated(
  { calcPrice, fixed }: PriceList,
  used: WholeUsage,
  model: string,
  providerId: string | undefined,
): number | null {
  const key = `${providerId} ${model}`;
  const known = fixed.get(key);
  if (known === null) return null;
  const total = known && plainTotal(known, used);
  if (total !== undefined && Number.isFinite(total)) return total;
  const usage = {
    input_tokens: used.input,
    output_tokens: used.output,
    ...Object.fromEntries(
      listedTokens.flatMap(([kind, name]) => (used[kind] ? [[`${name}_tokens`, used[kind]]] : [])),
    ),
  };
  try {
    const price = calcPrice(usage, model, providerId === undefined ? {} : { providerId });
    if (price === null) fixed.set(key, null);
    else if (!Array.isArray(price.model.prices)) fixed.set(key, price.model_price);
    const total = price?.total_price;
    return total !== undefined && Number.isFinite(total) && total >= 0 ? total : null;
  } catch {
    // It throws for usage that it considers impossible, and for models that it prices by time of day.
    return null;
  }
}

/** The same as the list calculates; `undefined` for prices by amount, by request, or of other kinds of tokens. */
function plainTotal(price: GenaiModelPrice, used: WholeUsage): number | undefined {
  const { input_mtok: input = 0, output_mtok: output = 0, cache_read_mtok: cached } = price;
  const { cache_read = 0 } = used;
  const hasOthers = listedTokens.some(
    ([kind, name]) => kind !== 'cache_read' && used[kind] && price[`${name}_mtok`] !== undefined,
  );
  if (hasOthers || price.requests_kcount !== undefined) return undefined;
  if (typeof input !== 'number' || typeof output !== 'number') return undefined;
  const produced = (output * used.output) / 1_000_000;
  if (cached === undefined || cache_read === 0) {
    return (input * used.input) / 1_000_000 + produced;
  }
  if (typeof cached !== 'number') return undefined;
  const read = (cached * cache_read) / 1_000_000;
  return (input * (used.input - cache_read)) / 1_000_000 + read + produced;
}

/** Prices the calls of a run. The price list is loaded with the first of them. */
export class CallPricer {
  readonly #own: OwnPrices | undefined;
  #prices: Prices | undefined;

  constructor(own?: OwnPrices) {
    this.#own = own;
  }

  /** Name and version of the price list; absent before a call was priced. */
  get source(): string | undefined {
    return this.#prices?.source;
  }

  /** A promise while the price list is being loaded. */
  load(): Promise<void> | undefined {
    if (this.#prices !== undefined) return undefined;
    return loadPrices(this.#own).then((prices) => {
      this.#prices = prices;
    });
  }

  /** The calls, each that may cost something with its cost, `null` where that is not known, and with the provider that its price names. */
  price(calls: StoredCalls): StoredCalls {
    return {
      ...calls,
      calls: calls.calls.map((call) => {
        if (!mayCost(call) || call.cost !== undefined) return call;
        const { model_call } = call;
        const provider = this.#prices?.providerOf(call);
        return {
          ...call,
          cost: this.priceOf(call),
          ...(model_call && provider !== undefined && { model_call: { ...model_call, provider } }),
        };
      }),
    };
  }

  /** US dollars; `null` when the price is not known. */
  priceOf(call: PricedCall): number | null {
    return this.#prices?.priceOf(call) ?? null;
  }
}
