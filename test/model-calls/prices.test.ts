import { calcPrice, extractUsage, findProvider } from '@pydantic/genai-prices';
import { expect } from 'chai';
import type { Json } from '../../src/model/json.js';
import { loadPrices, type PricedCall } from '../../src/model-calls/prices.js';
import { readExchange } from '../../src/model-calls/wire/read-exchange.js';
import { fewOf } from '../helpers/rounds.js';

type Exchange = NonNullable<PricedCall['model_call']>;

const proxy = 'http://127.0.0.1:4000/v1';
const usage = { input: 1000, cache_read: 600, output: 50, reasoning: 20 };

const call = (exchange: Partial<Exchange>, more: Partial<PricedCall> = {}): PricedCall => ({
  url: proxy,
  status: 200,
  model_call: { provider: 'openai', operation: 'chat', usage, ...exchange },
  ...more,
});

/** What the list says of the usage above. */
function listed(model: string, providerId: string, counts: object = {}): number {
  const tokens = { input_tokens: 1000, cache_read_tokens: 600, output_tokens: 50, ...counts };
  const price = calcPrice(tokens, model, { providerId });
  if (price === null) throw new Error(`${model} is not in the list`);
  return price.total_price;
}

describe('the price of a call', () => {
  it('is that of the list, by the wire and the plain name of the model', async () => {
    const { priceOf } = await loadPrices();
    const cases: [Exchange['provider'], string, number][] = [
      ['openai', 'gpt-5-mini', listed('gpt-5-mini', 'openai')],
      ['openai', 'gpt-5-mini-2025-08-07', listed('gpt-5-mini', 'openai')],
      ['anthropic', 'claude-sonnet-4-5-20250929', listed('claude-sonnet-4-5', 'anthropic')],
      ['anthropic', 'claude-sonnet-4-5@20250929', listed('claude-sonnet-4-5', 'anthropic')],
      ['google', 'models/gemini-2.5-flash', listed('gemini-2.5-flash', 'google')],
      ['google', 'publishers/google/models/gemini-2.5-flash', listed('gemini-2.5-flash', 'google')],
      [
        'aws.bedrock',
        'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
        listed('us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'aws'),
      ],
      [
        'aws.bedrock',
        'arn:aws:bedrock:us-east-1::foundation-model/amazon.nova-pro-v1:0',
        listed('amazon.nova-pro-v1:0', 'aws'),
      ],
      ['openai', 'anthropic/claude-sonnet-4-5', listed('claude-sonnet-4-5', 'anthropic')],
      ['openai', 'gemini/gemini-2.5-flash', listed('gemini-2.5-flash', 'google')],
      ['openai', 'grok-4', listed('grok-4', 'x-ai')],
    ];
    for (const [provider, model, price] of cases) {
      expect(priceOf(call({ provider, model })), model).to.be.closeTo(price, 1e-12);
      expect(price, model).to.be.greaterThan(0);
    }
  });

  it('is what the provider reports, whatever else is known', async () => {
    const { priceOf } = await loadPrices({ m: { input: 1, output: 1 } });
    expect(priceOf(call({ model: 'm', reported_cost: 0.25 }))).to.equal(0.25);
    const { usage: _, ...silent } = call({ model: 'x', reported_cost: 0 }).model_call as Exchange;
    expect(priceOf({ url: proxy, status: 200, model_call: silent })).to.equal(0);
  });

  it('is that of billed tokens and searches, where these are counted apart', async () => {
    const { priceOf } = await loadPrices({ 'rerank-v3.5': { searches: 2 } });
    const cohere = { provider: 'cohere', model: 'command-a-03-2025' };
    const billed = { input: 71, output: 50, billed_input: 1000, billed_output: 50 };
    const price = calcPrice({ input_tokens: 1000, output_tokens: 50 }, cohere.model, {
      providerId: 'cohere',
    });
    expect(priceOf(call({ ...cohere, usage: billed }))).to.be.closeTo(
      price?.total_price ?? 0,
      1e-12,
    );
    const rerank = { ...cohere, operation: 'rerank', usage: { searches: 3 } };
    expect(priceOf(call({ ...rerank, model: 'rerank-v3.5' }))).to.equal(0.006);
    expect(priceOf(call({ ...rerank, model: 'rerank-v9' }))).to.equal(null);
  });

  it('is that of the provider that a price of the settings names, where the address tells none', async () => {
    const { priceOf, providerOf } = await loadPrices({
      'llama-3.3-70b-versatile': { provider: 'groq' },
      free: { provider: 'me', input: 0, output: 0 },
    });
    const groq = call({ model: 'llama-3.3-70b-versatile' });
    expect(priceOf(groq)).to.be.closeTo(listed('llama-3.3-70b-versatile', 'groq'), 1e-12);
    expect(providerOf(groq)).to.equal('groq');
    expect(providerOf({ ...groq, url: 'https://api.together.xyz/v1' })).to.equal(undefined);
    // Also where it did not report its tokens.
    const silent = { provider: 'openai', operation: 'chat', model: 'free' };
    expect(priceOf({ url: proxy, status: 200, model_call: silent })).to.equal(0);
  });

  it('of hosts that the list lacks is that of the model, unless anybody may host it', async () => {
    const { priceOf } = await loadPrices();
    const url = 'https://ai-gateway.vercel.sh/v1/chat/completions';
    const priceAt = (model: string) => priceOf(call({ provider: 'vercel', model }, { url }));
    expect(priceAt('openai/gpt-5-mini')).to.be.closeTo(listed('gpt-5-mini', 'openai'), 1e-12);
    expect(priceAt('meta-llama/Llama-3.3-70B-Instruct')).to.equal(null);
  });

  it('is the same for the first call of a model and for later ones', async () => {
    const usages: NonNullable<Exchange['usage']>[] = [
      { input: 1000, output: 50 },
      { input: 1237, output: 0 },
      { input: 1000, cache_read: 601, output: 53 },
      { input: 300_001, cache_read: 7, output: 17 },
      { input: 1000, cache_read: 100, cache_write: 300, output: 9 },
      { input: 1000, cache_write: 300, cache_write_1h: 100, output: 9 },
      { input: 1000, output: 77, reasoning: 33 },
      { input: 1000, input_audio: 333, output: 77, output_audio: 11 },
    ];
    const wires: [Exchange['provider'], string, string?][] = [
      ['openai', 'openai'],
      ['anthropic', 'anthropic'],
      ['google', 'google'],
      ['aws.bedrock', 'aws'],
      ['openai', 'groq', 'https://api.groq.com/openai/v1'],
      ['openai', 'openrouter', 'https://openrouter.ai/api/v1'],
    ];
    const models = wires.flatMap(([provider, providerId, url = proxy]) =>
      (findProvider({ providerId })?.models ?? []).map(({ id }) => ({ provider, model: id, url })),
    );
    const { priceOf } = await loadPrices();
    let priced = 0;
    for (const usage of usages) {
      const first = await loadPrices();
      for (const { url, ...exchange } of fewOf(models, 100)) {
        const one = call({ ...exchange, usage }, { url });
        const price = first.priceOf(one);
        expect(priceOf(one), `${exchange.model} ${JSON.stringify(usage)}`).to.equal(price);
        if (price !== null) priced += 1;
      }
    }
    expect(priced).to.be.greaterThan(400);
  });

  it('is that of the model that answered, whatever a deployment is called', async () => {
    const { priceOf } = await loadPrices();
    const exchange = { model: 'our-model', response_model: 'gpt-5-mini-2025-08-07' };
    expect(priceOf(call(exchange))).to.be.closeTo(listed('gpt-5-mini', 'openai'), 1e-12);
    expect(priceOf(call({ ...exchange, response_model: 'our-model' }))).to.equal(null);
  });

  it('is that of the host where the address is of a known one', async () => {
    const { priceOf } = await loadPrices();
    const exchange = { model: 'llama-3.3-70b-versatile' };
    const url = 'https://api.groq.com/openai/v1/chat/completions';
    const price = listed('llama-3.3-70b-versatile', 'groq');
    expect(priceOf(call(exchange, { url }))).to.be.closeTo(price, 1e-12);
    expect(priceOf(call(exchange))).to.equal(null);
    expect(priceOf(call({ model: 'gpt-5-mini' }, { url }))).to.equal(null);
  });

  it('is not known for local models, models that anybody hosts, and unknown names', async () => {
    const { priceOf } = await loadPrices();
    const unknown: [string, string][] = [
      ['ollama', 'llama3.2'],
      ['openai', 'gpt-oss-120b'],
      ['openai', 'meta-llama/Llama-3.3-70B-Instruct'],
      ['openai', 'nobody-knows'],
      ['openai', '__proto__'],
      ['aws.bedrock', 'arn:aws:bedrock:us-east-1:1:application-inference-profile/abc'],
      ['nobody', 'gpt-5-mini'],
    ];
    for (const [provider, model] of unknown)
      expect(priceOf(call({ provider, model })), model).to.equal(null);
    const rerouted = { model: 'gpt-5-mini', response_model: 'Qwen/Qwen3-8B' };
    expect(priceOf(call(rerouted))).to.equal(null);
    expect(priceOf({ url: proxy, status: 200 })).to.equal(null);
    expect(priceOf(call({}))).to.equal(null);
  });

  it('is not known while usage is missing, partial or impossible', async () => {
    const { priceOf } = await loadPrices({ mine: { input: 1, output: 1 } });
    for (const model of ['gpt-5-mini', 'mine']) {
      const { usage: _, ...without } = { ...call({ model }).model_call, usage };
      expect(priceOf(call({ model, usage: {} })), model).to.equal(null);
      expect(priceOf({ url: proxy, status: 200, model_call: without as Exchange }), model).to.equal(
        null,
      );
      expect(priceOf(call({ model, usage: { input: 5 } })), model).to.equal(null);
      expect(
        priceOf(call({ model, usage: { input: 5, cache_read: 9, output: 1 } })),
        model,
      ).to.equal(null);
      expect(priceOf(call({ model, cut: true })), model).to.equal(null);
    }
    const embeddings = {
      operation: 'embeddings',
      model: 'text-embedding-3-small',
      usage: { input: 1000 },
    };
    expect(priceOf(call(embeddings))).to.be.greaterThan(0);
  });

  it('is 0 for a call that was refused or reached no server', async () => {
    const { priceOf } = await loadPrices();
    const failed = (more: Partial<PricedCall>) =>
      priceOf({
        url: proxy,
        model_call: { provider: 'openai', operation: 'chat', model: 'gpt-5-mini' },
        ...more,
      });
    expect(failed({ status: 429 })).to.equal(0);
    expect(failed({ status: 500 })).to.equal(0);
    expect(failed({ error: 'connect ECONNREFUSED 127.0.0.1:1' })).to.equal(0);
    expect(failed({ error: 'The operation was aborted' })).to.equal(null);
    expect(failed({ status: 0, error: 'socket hang up' })).to.equal(null);
    expect(failed({ status: 200 })).to.equal(null);
  });

  it('counts what was written to the cache', async () => {
    const { priceOf } = await loadPrices();
    const exchange = {
      provider: 'anthropic',
      model: 'claude-sonnet-4-5',
      usage: { ...usage, cache_write: 300 },
    };
    const price = listed('claude-sonnet-4-5', 'anthropic', { cache_write_tokens: 300 });
    expect(priceOf(call(exchange))).to.be.closeTo(price, 1e-12);
    expect(price).not.to.equal(listed('claude-sonnet-4-5', 'anthropic'));
  });

  it('is what the list makes of the same answer: caches, reasoning and sound included', async () => {
    const { priceOf } = await loadPrices();
    const cache_creation = { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 };
    const answers: [
      provider: string,
      flavor: string,
      path: string,
      asked: object,
      answer: object,
    ][] = [
      [
        ...(['anthropic', 'default', '/v1/messages'] as const),
        { max_tokens: 5, messages: [] },
        {
          ...{ type: 'message', model: 'claude-sonnet-4-5', content: [] },
          usage: {
            ...{ input_tokens: 10, cache_read_input_tokens: 100, output_tokens: 50 },
            ...{ cache_creation_input_tokens: 30, cache_creation },
          },
        },
      ],
      [
        ...(['openai', 'chat', '/v1/chat/completions'] as const),
        { messages: [] },
        {
          ...{ model: 'gpt-audio', choices: [] },
          usage: {
            ...{ prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 },
            prompt_tokens_details: { audio_tokens: 20, cached_tokens: 0 },
            completion_tokens_details: { audio_tokens: 30, reasoning_tokens: 5 },
          },
        },
      ],
      [
        ...(['openai', 'responses', '/v1/responses'] as const),
        { input: 'a' },
        {
          ...{ object: 'response', model: 'gpt-5-mini', output: [] },
          usage: {
            ...{ input_tokens: 100, input_tokens_details: { cached_tokens: 60 } },
            ...{ output_tokens: 50, output_tokens_details: { reasoning_tokens: 40 } },
          },
        },
      ],
      [
        ...(['google', 'default', '/v1beta/models/gemini-2.5-flash:generateContent'] as const),
        { contents: [] },
        {
          ...{ modelVersion: 'gemini-2.5-flash', candidates: [] },
          usageMetadata: {
            ...{ promptTokenCount: 100, toolUsePromptTokenCount: 10, candidatesTokenCount: 20 },
            ...{ thoughtsTokenCount: 30, cachedContentTokenCount: 0 },
            promptTokensDetails: [{ modality: 'AUDIO', tokenCount: 40 }],
          },
        },
      ],
    ];
    const bytes = (value: object) => new TextEncoder().encode(JSON.stringify(value));
    for (const [id, flavor, path, asked, answer] of answers) {
      const provider = findProvider({ providerId: id });
      if (provider === undefined) throw new Error(`${id} is not in the list`);
      const { usage: counted, model } = extractUsage(provider, answer, flavor);
      const wanted = calcPrice(counted, model ?? '', { providerId: id })?.total_price;
      const url = `${proxy}${path}`;
      const exchange = readExchange(
        { method: 'POST', url, body: asked as Json },
        { status: 200, headers: {}, body: bytes(answer), complete: true },
      );
      if (exchange === undefined) throw new Error(`${path} is not recognised`);
      expect(wanted, path).to.be.greaterThan(0);
      expect(priceOf({ url, status: 200, model_call: exchange }), path).to.be.closeTo(
        wanted ?? 0,
        1e-12,
      );
    }
  });

  it('is that of the user where the settings have one', async () => {
    const { priceOf } = await loadPrices({
      'gpt-5-mini': { input: 1, cached: 0.5, output: 10 },
      'qwen3:8b': { input: 0, output: 0 },
      'our-model': { input: 2, output: 4 },
    });
    expect(
      priceOf(call({ model: 'gpt-5-mini', response_model: 'gpt-5-mini-2025-08-07' })),
    ).to.be.closeTo((400 * 1 + 600 * 0.5 + 50 * 10) / 1e6, 1e-15);
    expect(priceOf(call({ provider: 'ollama', model: 'qwen3:8b' }))).to.equal(0);
    expect(priceOf(call({ model: 'our-model' }))).to.be.closeTo((1000 * 2 + 50 * 4) / 1e6, 1e-15);
  });

  it('comes with the version of the list', async () => {
    expect((await loadPrices()).source).to.match(/^@pydantic\/genai-prices \d+\.\d+\.\d+$/);
  });
});
