import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { embed, generateText, jsonSchema, streamText, tool } from 'ai';
import { expect } from 'chai';
import { Ollama } from 'ollama';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { fakeToolCalls, fakeUsage, lastSeen, fakeText as text } from './seen.js';

describe('calls of the AI SDK', () => {
  let provider: FakeProvider;

  before(async () => {
    Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
    provider = await startFakeProvider();
  });

  const models = (name: string) => {
    const openai = createOpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` });
    return {
      responses: openai(name),
      chat: openai.chat(name),
      anthropic: createAnthropic({ apiKey: 'none', baseURL: `${provider.url}/v1` })(name),
      google: createGoogleGenerativeAI({ apiKey: 'none', baseURL: `${provider.url}/v1beta` })(name),
    };
  };

  for (const kind of ['responses', 'chat', 'anthropic', 'google'] as const) {
    it(`show ${kind}, at once and streamed`, async () => {
      const model = models('some-model')[kind];
      const isWhole = { answer: [{ role: 'assistant', content: text }], model: 'some-model' };
      const prompt = { system: 'Be short.', prompt: 'Weather?' };
      await generateText({ model, ...prompt });
      expect(lastSeen(provider)).to.deep.include(isWhole);
      expect(
        lastSeen(provider)
          .messages?.map(({ role }) => role)
          .slice(-1),
      ).to.deep.equal(['user']);
      await streamText({ model, ...prompt }).consumeStream();
      expect(lastSeen(provider)).to.deep.include({ ...isWhole, stream: true });
      expect(lastSeen(provider).usage).to.include(fakeUsage);
      expect(lastSeen(provider)).not.to.have.any.keys('cut', 'error');
    });

    it(`show the tools of ${kind}`, async () => {
      const weather = tool({
        inputSchema: jsonSchema<object>({ type: 'object' }),
        execute: async () => '21 °C',
      });
      await generateText({
        model: models('m-fake-tool')[kind],
        prompt: 'Weather?',
        tools: { weather, time: weather },
      });
      expect(lastSeen(provider).tool_calls?.map(({ name }) => name)).to.deep.equal([
        'weather',
        'time',
      ]);
      expect(lastSeen(provider).tools).to.have.length.greaterThan(0);
    });
  }

  it('show embeddings', async () => {
    const model = createOpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` }).textEmbedding(
      'e',
    );
    await embed({ model, value: 'a' });
    expect(lastSeen(provider)).to.deep.include({ operation: 'embeddings', usage: { input: 120 } });
  });
});

describe('calls of the Ollama client', () => {
  let provider: FakeProvider;
  let client: Ollama;

  before(async () => {
    provider = await startFakeProvider();
    client = new Ollama({ host: provider.url });
  });

  it('show chats, at once and streamed', async () => {
    const messages = [
      { role: 'user', content: 'Weather?', images: ['AAAA'] },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ function: { name: 'weather', arguments: { city: 'Wien' } } }],
      },
      { role: 'tool', content: '21 °C', tool_name: 'weather' },
    ];
    await client.chat({ model: 'qwen3', messages, stream: false, options: { temperature: 0 } });
    const whole = {
      provider: 'ollama',
      operation: 'chat',
      model: 'qwen3',
      response_model: 'qwen3',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Weather?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          ],
        },
        {
          role: 'assistant',
          tool_calls: [
            { type: 'function', function: { name: 'weather', arguments: '{"city":"Wien"}' } },
          ],
        },
        { role: 'tool', content: '21 °C', tool_name: 'weather' },
      ],
      answer: [{ role: 'assistant', content: text }],
      parameters: { options: { temperature: 0 } },
      finish_reason: 'stop',
      usage: { input: 120, output: 30 },
    };
    expect(lastSeen(provider)).to.deep.equal(whole);
    for await (const _ of await client.chat({
      model: 'qwen3',
      messages,
      stream: true,
      options: { temperature: 0 },
    }));
    expect(lastSeen(provider)).to.deep.equal({ ...whole, stream: true });
    for await (const _ of await client.chat({ model: 'm-fake-tool', messages, stream: true }));
    expect(lastSeen(provider).tool_calls).to.deep.equal(
      fakeToolCalls.map(({ id: _, ...call }) => call),
    );
  });

  it('show completions and embeddings', async () => {
    for await (const _ of await client.generate({
      model: 'qwen3',
      prompt: 'Say',
      system: 'Be short.',
      stream: true,
    }));
    expect(lastSeen(provider)).to.deep.include({
      operation: 'text_completion',
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'Say' },
      ],
      answer: [{ role: 'assistant', content: text }],
      stream: true,
    });
    await client.embed({ model: 'nomic', input: ['a', 'b'] });
    expect(lastSeen(provider)).to.deep.include({
      provider: 'ollama',
      operation: 'embeddings',
      usage: { input: 120 },
    });
  });

  it('show streams that fail', async () => {
    const ask = async (model: string) => {
      try {
        for await (const _ of await client.chat({
          model,
          messages: [{ role: 'user', content: 'a' }],
          stream: true,
        }));
      } catch {
        // The client's error is not what is read here.
      }
      return lastSeen(provider);
    };
    expect(await ask('m-fake-cut')).to.deep.include({ cut: true });
    expect(await ask('m-fake-stream-error')).to.deep.include({ error: 'Overloaded' });
  });
});
