import {
  type BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  InvokeModelCommand,
  InvokeModelWithResponseStreamCommand,
  type Message,
} from '@aws-sdk/client-bedrock-runtime';
import { expect } from 'chai';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { bedrockClient } from './bedrock-client.js';
import { fakeToolCalls, fakeUsage, lastSeen, fakeText as text } from './seen.js';

const usage = { ...fakeUsage, cache_write: 0 };
const modelId = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';

describe('calls of the Bedrock client', () => {
  let provider: FakeProvider;
  let client: BedrockRuntimeClient;

  before(async () => {
    provider = await startFakeProvider();
    client = bedrockClient(provider.http2Url);
  });

  after(() => client.destroy());

  const messages: Message[] = [
    { role: 'user', content: [{ text: 'Weather?' }] },
    {
      role: 'assistant',
      content: [
        { text: 'One moment.' },
        { toolUse: { toolUseId: 't1', name: 'weather', input: { city: 'Wien' } } },
      ],
    },
    {
      role: 'user',
      content: [{ toolResult: { toolUseId: 't1', content: [{ json: { t: 21 } }] } }],
    },
  ];

  for (const stream of [false, true]) {
    const ask = async (model: string) => {
      const input = {
        modelId: model,
        system: [{ text: 'Be short.' }],
        messages,
        inferenceConfig: { maxTokens: 50 },
        toolConfig: {
          tools: [{ toolSpec: { name: 'weather', inputSchema: { json: { type: 'object' } } } }],
        },
      };
      if (stream) {
        const { stream: events } = await client.send(new ConverseStreamCommand(input));
        for await (const _ of events ?? []);
      } else await client.send(new ConverseCommand(input));
      return lastSeen(provider);
    };

    it(`show Converse as a chat over HTTP/2, ${stream ? 'streamed' : 'at once'}`, async () => {
      expect(await ask(modelId)).to.deep.equal({
        provider: 'aws.bedrock',
        operation: 'chat',
        model: modelId,
        response_id: 'amzn_1',
        messages: [
          { role: 'system', content: 'Be short.' },
          { role: 'user', content: 'Weather?' },
          {
            role: 'assistant',
            content: 'One moment.',
            tool_calls: [
              {
                id: 't1',
                type: 'function',
                function: { name: 'weather', arguments: '{"city":"Wien"}' },
              },
            ],
          },
          { role: 'tool', tool_call_id: 't1', content: '{"t":21}' },
        ],
        answer: [{ role: 'assistant', content: text }],
        tools: [{ toolSpec: { name: 'weather', inputSchema: { json: { type: 'object' } } } }],
        parameters: { inferenceConfig: { maxTokens: 50 } },
        finish_reason: 'end_turn',
        usage,
        ...(stream && { stream: true }),
      });
      expect(provider.exchanges.at(-1)?.httpVersion).to.equal('2.0');
    });

    it(`put tool calls of Converse together, ${stream ? 'streamed' : 'at once'}`, async () => {
      expect((await ask('m-fake-tool')).tool_calls).to.deep.equal(fakeToolCalls);
    });

    it(`show InvokeModel, ${stream ? 'streamed' : 'at once'}`, async () => {
      const body = JSON.stringify({
        anthropic_version: 'bedrock-2023-05-31',
        max_tokens: 50,
        messages: [{ role: 'user', content: 'Weather?' }],
      });
      if (stream) {
        const answer = await client.send(
          new InvokeModelWithResponseStreamCommand({ modelId, body }),
        );
        for await (const _ of answer.body ?? []);
      } else await client.send(new InvokeModelCommand({ modelId, body }));
      expect(lastSeen(provider)).to.deep.equal({
        provider: 'aws.bedrock',
        operation: 'chat',
        model: modelId,
        response_model: modelId,
        response_id: 'msg_1',
        messages: [{ role: 'user', content: 'Weather?' }],
        answer: [{ role: 'assistant', content: text }],
        parameters: { max_tokens: 50 },
        finish_reason: 'end_turn',
        usage,
        ...(stream && { stream: true }),
      });
    });
  }

  it('show errors by status and in the stream', async () => {
    const ask = async (model: string) => {
      try {
        const { stream } = await client.send(
          new ConverseStreamCommand({ modelId: model, messages }),
        );
        for await (const _ of stream ?? []);
      } catch {
        // The client's error is not what is read here.
      }
      return lastSeen(provider);
    };
    expect((await ask('m-fake-busy')).error).to.equal(
      'rate_limit_error: Too many requests, slow down',
    );
    expect(await ask('m-fake-stream-error')).to.deep.include({
      error: 'throttlingException: Overloaded',
      answer: [{ role: 'assistant', content: text }],
    });
    expect(await ask('m-fake-cut')).to.deep.include({ cut: true, stream: true });
  });
});
