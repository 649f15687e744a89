import {
  type BedrockRuntimeClient,
  type ContentBlock,
  ConverseCommand,
  ConverseStreamCommand,
  type ConverseStreamOutput,
  type TokenUsage as ConverseUsage,
} from '@aws-sdk/client-bedrock-runtime';
import { expect } from 'chai';
import { type Answering, base64, drain, json, startAnswering } from './answering.js';
import { bedrockClient } from './bedrock-client.js';

const bytes = new TextEncoder().encode('PNG');

describe('every part of an exchange with Bedrock Converse', () => {
  let provider: Answering;
  let client: BedrockRuntimeClient;

  before(async () => {
    provider = await startAnswering();
    client = bedrockClient(provider.http2Url);
  });

  after(() => client.destroy());

  const hello = [{ role: 'user' as const, content: [{ text: 'hello' }] }];
  const usage: ConverseUsage = {
    inputTokens: 10,
    outputTokens: 5,
    totalTokens: 145,
    cacheReadInputTokens: 100,
    cacheWriteInputTokens: 30,
    cacheDetails: [
      { ttl: '5m', inputTokens: 10 },
      { ttl: '1h', inputTokens: 20 },
    ],
  };
  const counted = { input: 140, cache_read: 100, cache_write: 30, cache_write_1h: 20, output: 5 };
  const location = { documentPage: { documentIndex: 0, start: 1, end: 2 } };
  const citation = { title: 'Rates', sourceContent: [{ text: '4 %' }], location };
  const guardrail = { actionReason: 'Guardrail blocked.' };
  const answer = [
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Let me see.', signature: 'sig' },
        { type: 'reasoningContent', reasoningContent: { redactedContent: base64('hidden') } },
        { type: 'text', text: 'It is 4 %.', citations: [citation] },
        {
          type: 'toolUse',
          toolUse: {
            toolUseId: 's1',
            name: 'search',
            type: 'server_tool_use',
            input: { q: 'x' },
          },
        },
        {
          type: 'toolResult',
          toolResult: { toolUseId: 's1', type: 'found', content: [{ text: '4 %' }] },
        },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${base64('PNG')}` } },
        { type: 'additionalModelResponseFields', additionalModelResponseFields: { seed: 7 } },
        { type: 'trace', trace: { guardrail } },
      ],
      tool_calls: [{ id: 't1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
    },
  ];

  it('are kept of an answer', async () => {
    const content: ContentBlock[] = [
      { reasoningContent: { reasoningText: { text: 'Let me see.', signature: 'sig' } } },
      { reasoningContent: { redactedContent: base64('hidden') as never } },
      {
        citationsContent: {
          content: [{ text: 'It is ' }, { text: '4 %.' }],
          citations: [citation],
        },
      },
      {
        toolUse: { toolUseId: 's1', name: 'search', type: 'server_tool_use', input: { q: 'x' } },
      },
      { toolResult: { toolUseId: 's1', type: 'found', content: [{ text: '4 %' }] } },
      { image: { format: 'png', source: { bytes: base64('PNG') as never } } },
      { toolUse: { toolUseId: 't1', name: 'f', input: { a: 1 } } },
    ];
    const said = await provider.seenOf(
      json({
        output: { message: { role: 'assistant', content } },
        stopReason: 'guardrail_intervened',
        usage,
        additionalModelResponseFields: { seed: 7 },
        trace: { guardrail },
      }),
      () => client.send(new ConverseCommand({ modelId: 'm', messages: hello })),
    );
    expect(said).to.deep.include({
      answer,
      finish_reason: 'guardrail_intervened',
      usage: counted,
    });
  });

  it('are kept of a stream', async () => {
    const at = (contentBlockIndex: number, delta: object): ConverseStreamOutput =>
      ({ contentBlockDelta: { contentBlockIndex, delta } }) as never;
    const begin = (contentBlockIndex: number, start: object): ConverseStreamOutput =>
      ({ contentBlockStart: { contentBlockIndex, start } }) as never;
    const events: ConverseStreamOutput[] = [
      { messageStart: { role: 'assistant' } },
      at(0, { reasoningContent: { text: 'Let me ' } }),
      at(0, { reasoningContent: { text: 'see.' } }),
      at(0, { reasoningContent: { signature: 'sig' } }),
      at(1, { reasoningContent: { redactedContent: base64('hidden') } }),
      at(2, { text: 'It is ' }),
      at(2, { citation }),
      at(2, { text: '4 %.' }),
      begin(3, { toolUse: { toolUseId: 's1', name: 'search', type: 'server_tool_use' } }),
      at(3, { toolUse: { input: '{"q":"x"}' } }),
      begin(4, { toolResult: { toolUseId: 's1', type: 'found' } }),
      at(4, { toolResult: [{ text: '4 %' }] }),
      begin(5, { image: { format: 'png' } }),
      at(5, { image: { source: { bytes: base64('PNG') } } }),
      begin(6, { toolUse: { toolUseId: 't1', name: 'f' } }),
      at(6, { toolUse: { input: '{"a"' } }),
      at(6, { toolUse: { input: ':1}' } }),
      {
        messageStop: {
          stopReason: 'guardrail_intervened',
          additionalModelResponseFields: { seed: 7 },
        },
      },
      { metadata: { usage, metrics: { latencyMs: 7 }, trace: { guardrail } } },
    ];
    const said = await provider.seenOf({ events }, async () => {
      const { stream } = await client.send(
        new ConverseStreamCommand({ modelId: 'm', messages: hello }),
      );
      await drain(stream);
    });
    expect(said).to.deep.include({
      answer,
      finish_reason: 'guardrail_intervened',
      usage: counted,
    });
  });

  it('are kept of a request', async () => {
    const content: ContentBlock[] = [
      { text: 'Read this.' },
      {
        document: {
          format: 'pdf',
          name: 'Rates',
          source: { bytes },
          citations: { enabled: true },
        },
      },
      { image: { format: 'jpeg', source: { bytes } } },
      { image: { format: 'png', source: { s3Location: { uri: 's3://b/i' } } } },
      { guardContent: { text: { text: 'Is it?' } } },
      { cachePoint: { type: 'default', ttl: '1h' } },
    ];
    const said = await provider.seenOf({}, () =>
      client.send(
        new ConverseCommand({
          modelId: 'm',
          system: [{ text: 'Be short.' }, { cachePoint: { type: 'default' } }],
          messages: [{ role: 'user', content }],
          toolConfig: { tools: [{ systemTool: { name: 'search' } }], toolChoice: { auto: {} } },
          guardrailConfig: { guardrailIdentifier: 'g', guardrailVersion: '1' },
          additionalModelRequestFields: { top_k: 5 },
        }),
      ),
    );
    const [data] = [base64('PNG')];
    expect(said).to.deep.include({
      messages: [
        {
          role: 'system',
          content: [
            { type: 'text', text: 'Be short.' },
            { type: 'cachePoint', cachePoint: { type: 'default' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Read this.' },
            {
              type: 'document',
              document: {
                ...{ format: 'pdf', name: 'Rates', source: { bytes: data } },
                citations: { enabled: true },
              },
            },
            { type: 'image_url', image_url: { url: `data:image/jpeg;base64,${data}` } },
            {
              type: 'image',
              image: { format: 'png', source: { s3Location: { uri: 's3://b/i' } } },
            },
            { type: 'guardContent', guardContent: { text: { text: 'Is it?' } } },
            { type: 'cachePoint', cachePoint: { type: 'default', ttl: '1h' } },
          ],
        },
      ],
      tools: [{ systemTool: { name: 'search' } }],
      parameters: {
        additionalModelRequestFields: { top_k: 5 },
        guardrailConfig: { guardrailIdentifier: 'g', guardrailVersion: '1' },
      },
    });
  });

  it('are kept where the stream ends with an error', async () => {
    const events = [
      { messageStart: { role: 'assistant' } },
      { contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'It' } } },
      { modelStreamErrorException: { message: 'Model failed', originalStatusCode: 500 } },
    ];
    const said = await provider.seenOf({ events }, async () => {
      const { stream } = await client.send(
        new ConverseStreamCommand({ modelId: 'm', messages: hello }),
      );
      await drain(stream).catch(() => {});
    });
    expect(said).to.deep.include({
      answer: [{ role: 'assistant', content: 'It' }],
      error: 'modelStreamErrorException: Model failed',
    });
  });
});
