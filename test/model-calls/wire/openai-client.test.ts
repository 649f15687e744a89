import { expect } from 'chai';
import OpenAI, { AzureOpenAI } from 'openai';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { fakeToolCalls, fakeUsage, lastSeen, leftSeen, fakeText as text } from './seen.js';

const usage = { ...fakeUsage, reasoning: 10 };
const tools = [
  {
    type: 'function' as const,
    function: { name: 'weather', parameters: { type: 'object', properties: {} } },
  },
];

describe('calls of the openai client', () => {
  let provider: FakeProvider;
  let client: OpenAI;

  before(async () => {
    provider = await startFakeProvider();
    client = new OpenAI({ apiKey: 'sk-none', baseURL: `${provider.url}/v1`, maxRetries: 0 });
  });

  const messages = [
    { role: 'system' as const, content: 'Be short.' },
    { role: 'user' as const, content: [{ type: 'text' as const, text: 'Weather?' }] },
  ];

  it('show a chat completion', async () => {
    await client.chat.completions.create({ model: 'gpt-5-mini', messages, temperature: 0, tools });
    expect(lastSeen(provider)).to.deep.equal({
      provider: 'openai',
      operation: 'chat',
      model: 'gpt-5-mini',
      response_model: 'gpt-5-mini',
      response_id: 'chatcmpl-1',
      messages,
      answer: [{ role: 'assistant', content: text }],
      tools,
      parameters: { temperature: 0 },
      finish_reason: 'stop',
      usage,
    });
  });

  it('show a streamed chat completion as one that is not streamed, with usage when it is asked for', async () => {
    const stream = await client.chat.completions.create({
      model: 'gpt-5-mini',
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    for await (const _ of stream);
    expect(lastSeen(provider)).to.deep.include({
      answer: [{ role: 'assistant', content: text }],
      finish_reason: 'stop',
      usage,
      stream: true,
    });
    expect(lastSeen(provider)).not.to.have.any.keys('cut', 'error');
    const without = await client.chat.completions.create({ model: 'm', messages, stream: true });
    for await (const _ of without);
    expect(lastSeen(provider)).not.to.have.any.keys('cut', 'error', 'usage');
  });

  for (const stream of [false, true]) {
    it(`put tool calls together, ${stream ? 'streamed' : 'at once'}`, async () => {
      const runner = await client.chat.completions.create({
        model: 'm-fake-tool',
        messages,
        tools,
        stream,
      });
      if (stream) for await (const _ of runner as AsyncIterable<unknown>);
      const found = lastSeen(provider);
      expect(found.tool_calls).to.deep.equal(fakeToolCalls);
      expect(found.finish_reason).to.equal('tool_calls');
      expect(found.answer).to.deep.equal([
        {
          role: 'assistant',
          tool_calls: fakeToolCalls.map(({ id, name, arguments: args }) => ({
            id,
            type: 'function',
            function: { name, arguments: JSON.stringify(args) },
          })),
        },
      ]);
    });

    it(`show a response, ${stream ? 'streamed' : 'at once'}`, async () => {
      const response = await client.responses.create({
        model: 'gpt-5-fake-think',
        instructions: 'Be short.',
        input: [
          { role: 'user', content: [{ type: 'input_text', text: 'Weather?' }] },
          {
            type: 'reasoning',
            id: 'rs_0',
            summary: [{ type: 'summary_text', text: 'Look it up.' }],
          },
          { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{"city":"Wien"}' },
          { type: 'function_call_output', call_id: 'c1', output: '21 °C' },
        ],
        tools: [{ type: 'function', name: 'weather', parameters: {}, strict: false }],
        stream,
      });
      if (stream) for await (const _ of response as AsyncIterable<unknown>);
      const found = lastSeen(provider);
      expect(found.messages).to.deep.equal([
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'Weather?' },
        {
          role: 'assistant',
          content: [{ type: 'reasoning', text: 'Look it up.', id: 'rs_0' }],
          tool_calls: [
            {
              id: 'c1',
              type: 'function',
              function: { name: 'weather', arguments: '{"city":"Wien"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: '21 °C' },
      ]);
      expect(found.answer).to.deep.equal([
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'The user wants the weather.', id: 'rs_1' },
            { type: 'text', text },
          ],
        },
      ]);
      expect(found).to.deep.include({
        operation: 'chat',
        model: 'gpt-5-fake-think',
        response_id: 'resp_1',
        finish_reason: 'completed',
        usage: { ...usage, cache_write: 0 },
      });
      expect(found.stream).to.equal(stream || undefined);
      expect(found).not.to.have.any.keys('cut', 'error');
    });

    it(`put tool calls of a response together, ${stream ? 'streamed' : 'at once'}`, async () => {
      const response = await client.responses.create({
        model: 'm-fake-tool',
        input: 'Weather?',
        stream,
      });
      if (stream) for await (const _ of response as AsyncIterable<unknown>);
      expect(lastSeen(provider).tool_calls).to.deep.equal(fakeToolCalls);
    });
  }

  it('show embeddings without their numbers', async () => {
    await client.embeddings.create({ model: 'text-embedding-3-small', input: ['a', 'b'] });
    expect(lastSeen(provider)).to.deep.equal({
      provider: 'openai',
      operation: 'embeddings',
      model: 'text-embedding-3-small',
      response_model: 'text-embedding-3-small',
      messages: [
        { role: 'user', content: 'a' },
        { role: 'user', content: 'b' },
      ],
      parameters: { encoding_format: 'base64' },
      usage: { input: 120 },
    });
  });

  for (const stream of [false, true]) {
    it(`show a legacy completion, ${stream ? 'streamed' : 'at once'}`, async () => {
      const answer = await client.completions.create({
        model: 'davinci-002',
        prompt: 'Say',
        stream,
      });
      if (stream) for await (const _ of answer as AsyncIterable<unknown>);
      expect(lastSeen(provider)).to.deep.include({
        operation: 'text_completion',
        messages: [{ role: 'user', content: 'Say' }],
        answer: [{ role: 'assistant', content: text }],
        finish_reason: 'stop',
      });
    });
  }

  it('show errors by status, in the answer and in the stream', async () => {
    const ask = async (model: string, stream = false) => {
      try {
        const answer = await client.chat.completions.create({ model, messages, stream });
        if (stream) for await (const _ of answer as AsyncIterable<unknown>);
      } catch {
        // The client's error is not what is read here.
      }
      return lastSeen(provider);
    };
    expect((await ask('m-fake-busy')).error).to.equal(
      'rate_limit_error: Too many requests, slow down',
    );
    expect((await ask('m-fake-broken')).error).to.equal('api_error: Internal failure');
    expect((await ask('m-fake-error')).error).to.equal('server_error: The model is overloaded');
    expect((await ask('m-fake-garbage')).error).to.equal('not JSON: {"choices": [{"mess');
    const streamed = await ask('m-fake-stream-error', true);
    expect(streamed).to.deep.include({ error: 'server_error: Overloaded', stream: true });
    expect(streamed.answer).to.deep.equal([{ role: 'assistant', content: text }]);
    const cut = await ask('m-fake-cut', true);
    expect(cut).to.deep.include({
      cut: true,
      answer: [{ role: 'assistant', content: 'Grüße aus Wien' }],
    });
  });

  it('show what came when the client leaves a stream, and the server sees it', async () => {
    const stream = await client.chat.completions.create({
      model: 'm-fake-hold',
      messages,
      stream: true,
    });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
    expect(await leftSeen(provider)).to.deep.include({
      ...{ cut: true, stream: true },
      answer: [{ role: 'assistant', content: 'Grüße aus Wien' }],
    });
  });

  it('show the deployment at Azure', async () => {
    const azure = new AzureOpenAI({
      apiKey: 'none',
      endpoint: provider.url,
      apiVersion: '2025-01-01',
      deployment: 'our-gpt',
    });
    await azure.chat.completions.create({ model: '', messages });
    expect(lastSeen(provider)).to.deep.include({ provider: 'openai', model: 'our-gpt' });
  });
});
