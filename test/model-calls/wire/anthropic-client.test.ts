import Anthropic from '@anthropic-ai/sdk';
import { expect } from 'chai';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { fakeToolCalls, fakeUsage, lastSeen, leftSeen, fakeText as text } from './seen.js';

const usage = { ...fakeUsage, cache_write: 0 };

describe('calls of the Anthropic client', () => {
  let provider: FakeProvider;
  let client: Anthropic;

  before(async () => {
    provider = await startFakeProvider();
    client = new Anthropic({ apiKey: 'none', baseURL: provider.url, maxRetries: 0 });
  });

  for (const stream of [false, true]) {
    const ask = async (body: Partial<Anthropic.MessageCreateParams> = {}) => {
      const answer = await client.messages.create({
        model: 'claude-sonnet-5',
        max_tokens: 50,
        messages: [{ role: 'user', content: 'Weather?' }],
        ...body,
        stream,
      });
      if (stream) for await (const _ of answer as AsyncIterable<unknown>);
      return lastSeen(provider);
    };

    it(`show messages as a chat, ${stream ? 'streamed' : 'at once'}`, async () => {
      const found = await ask({
        system: [{ type: 'text', text: 'Be short.', cache_control: { type: 'ephemeral' } }],
        messages: [
          { role: 'user', content: 'Weather?' },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'Look it up.', signature: 'c2ln' },
              { type: 'text', text: 'One moment.' },
              { type: 'tool_use', id: 't1', name: 'weather', input: { city: 'Wien' } },
            ],
          },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: 't1',
                content: [{ type: 'text', text: '21 °C' }],
              },
              { type: 'text', text: 'And now?' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
            ],
          },
        ],
        tools: [{ name: 'weather', input_schema: { type: 'object' } }],
      });
      expect(found).to.deep.equal({
        provider: 'anthropic',
        operation: 'chat',
        model: 'claude-sonnet-5',
        response_model: 'claude-sonnet-5',
        response_id: 'msg_1',
        messages: [
          {
            role: 'system',
            content: [{ type: 'text', text: 'Be short.', cache_control: { type: 'ephemeral' } }],
          },
          { role: 'user', content: 'Weather?' },
          {
            role: 'assistant',
            content: [
              { type: 'reasoning', text: 'Look it up.', signature: 'c2ln' },
              { type: 'text', text: 'One moment.' },
            ],
            tool_calls: [
              {
                id: 't1',
                type: 'function',
                function: { name: 'weather', arguments: '{"city":"Wien"}' },
              },
            ],
          },
          { role: 'tool', tool_call_id: 't1', content: '21 °C' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'And now?' },
              { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
            ],
          },
        ],
        answer: [{ role: 'assistant', content: text }],
        tools: [{ name: 'weather', input_schema: { type: 'object' } }],
        parameters: { max_tokens: 50 },
        finish_reason: 'end_turn',
        usage,
        ...(stream && { stream: true }),
      });
    });

    it(`put tool calls and thoughts together, ${stream ? 'streamed' : 'at once'}`, async () => {
      expect((await ask({ model: 'm-fake-tool' })).tool_calls).to.deep.equal(fakeToolCalls);
      expect((await ask({ model: 'm-fake-think' })).answer).to.deep.equal([
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'The user wants the weather.', signature: 'c2ln' },
            { type: 'text', text },
          ],
        },
      ]);
    });
  }

  it('show errors, and streams that end early', async () => {
    const ask = async (model: string, stream: boolean) => {
      const messages = [{ role: 'user' as const, content: 'a' }];
      try {
        const answer = await client.messages.create({ model, max_tokens: 5, messages, stream });
        if (stream) for await (const _ of answer as AsyncIterable<unknown>);
      } catch {
        // The client's error is not what is read here.
      }
      return lastSeen(provider);
    };
    expect((await ask('m-fake-busy', false)).error).to.equal(
      'rate_limit_error: Too many requests, slow down',
    );
    const failed = await ask('m-fake-stream-error', true);
    expect(failed).to.deep.include({ error: 'overloaded_error: Overloaded', stream: true });
    expect(failed).not.to.have.property('cut');
    expect(await ask('m-fake-cut', true)).to.deep.include({
      cut: true,
      usage: { ...usage, output: 1 },
    });
    const stream = client.messages.stream({
      model: 'm-fake-hold',
      max_tokens: 5,
      messages: [{ role: 'user', content: 'a' }],
    });
    stream.on('streamEvent', (event) => {
      if (event.type === 'content_block_start') stream.abort();
    });
    await stream.done().catch(() => {});
    expect(await leftSeen(provider)).to.deep.include({ cut: true });
  });

  it('leave out requests of the same shape that ask no model', async () => {
    await client.messages
      .countTokens({ model: 'm', messages: [{ role: 'user', content: 'a' }] })
      .catch(() => {});
    expect(() => lastSeen(provider)).to.throw('not recognised');
  });
});
