import Anthropic from '@anthropic-ai/sdk';
import type { Message as AnthropicMessage } from '@anthropic-ai/sdk/resources/messages';
import { expect } from 'chai';
import { type Answering, drain, json, startAnswering } from './answering.js';

describe('every part of an exchange with Anthropic', () => {
  let provider: Answering;

  before(async () => {
    provider = await startAnswering();
  });

  const client = () => new Anthropic({ apiKey: 'none', baseURL: provider.url, maxRetries: 0 });
  const messages = [{ role: 'user' as const, content: 'hello' }];
  const hello = { model: 'claude-x', max_tokens: 5, messages };
  const citation = {
    ...{ type: 'char_location' as const, cited_text: '4 %', document_index: 0 },
    ...{ document_title: null, start_char_index: 0, end_char_index: 3, file_id: null },
  };
  const stop_details = {
    type: 'refusal' as const,
    category: 'cyber' as const,
    explanation: 'No.',
  };
  const blocks = [
    { type: 'thinking' as const, thinking: 'Let me see.', signature: 'sig' },
    { type: 'redacted_thinking' as const, data: 'hidden' },
    { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'x' } },
    {
      type: 'web_search_tool_result' as const,
      tool_use_id: 's1',
      content: [{ type: 'web_search_result', title: 'T', url: 'https://a.example' }],
    },
    { type: 'text' as const, text: 'It is 4 %.', citations: [citation] },
    { type: 'tool_use' as const, id: 't1', name: 'f', input: { a: 1 } },
  ];
  const usage = {
    input_tokens: 10,
    cache_read_input_tokens: 100,
    cache_creation_input_tokens: 30,
    cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
    output_tokens: 50,
    output_tokens_details: { thinking_tokens: 40 },
    server_tool_use: { web_search_requests: 1, web_fetch_requests: 0 },
  };
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    content: blocks as never,
    stop_reason: 'refusal',
    stop_details,
    usage: usage as never,
  } satisfies Partial<AnthropicMessage>;
  const wanted = {
    answer: [
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Let me see.', signature: 'sig' },
          ...blocks.slice(1, 5),
          stop_details,
        ],
        tool_calls: [{ id: 't1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
      },
    ],
    finish_reason: 'refusal',
    usage: {
      ...{ input: 140, cache_read: 100, cache_write: 30, cache_write_1h: 20 },
      ...{ output: 50, reasoning: 40 },
    },
  };

  it('are kept of an answer', async () => {
    const said = await provider.seenOf(json(message), () => client().messages.create(hello));
    expect(said).to.deep.include(wanted);
  });

  it('are kept of a stream', async () => {
    const deltas: object[][] = [
      [
        { type: 'thinking_delta', thinking: 'Let me see.' },
        { type: 'signature_delta', signature: 'sig' },
      ],
      [],
      [{ type: 'input_json_delta', partial_json: '{"query":"x"}' }],
      [],
      [
        { type: 'text_delta', text: 'It is 4 %.' },
        { type: 'citations_delta', citation },
      ],
      [{ type: 'input_json_delta', partial_json: '{"a":1}' }],
    ];
    const begun: object[] = [
      { type: 'thinking', thinking: '', signature: '' },
      blocks[1] as object,
      { ...blocks[2], input: {} },
      blocks[3] as object,
      { type: 'text', text: '', citations: null },
      { ...blocks[5], input: {} },
    ];
    const events = [
      {
        type: 'message_start',
        message: { ...message, content: [], stop_reason: null, stop_details: null },
      },
      ...begun.flatMap((content_block, index) => [
        { type: 'content_block_start', index, content_block },
        ...(deltas[index] ?? []).map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]),
      {
        type: 'message_delta',
        delta: { stop_reason: 'refusal', stop_sequence: null, stop_details },
        usage: { output_tokens: 50 },
      },
      { type: 'message_stop' },
    ];
    const said = await provider.seenOf({ events }, async () =>
      drain(await client().messages.create({ ...hello, stream: true })),
    );
    expect(said).to.deep.include({ ...wanted, stream: true });
  });

  it('are kept of a request', async () => {
    const cache_control = { type: 'ephemeral' as const, ttl: '1h' as const };
    const source = { type: 'base64' as const, media_type: 'image/png' as const, data: 'AAAA' };
    const pdf = { type: 'url' as const, url: 'https://a.example/f.pdf' };
    const said = await provider.seenOf({}, () =>
      client().messages.create({
        ...hello,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image', source, cache_control },
              { type: 'document', source: pdf, title: 'F', citations: { enabled: true } },
            ],
          },
          {
            role: 'assistant',
            content: [{ type: 'tool_use', id: 't1', name: 'f', input: {}, cache_control }],
          },
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: 't1', content: '21', cache_control }],
          },
        ],
      }),
    );
    expect(said.messages).to.deep.equal([
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' }, cache_control },
          { type: 'document', source: pdf, title: 'F', citations: { enabled: true } },
        ],
      },
      {
        role: 'assistant',
        tool_calls: [
          { id: 't1', type: 'function', function: { name: 'f', arguments: '{}' }, cache_control },
        ],
      },
      { role: 'tool', tool_call_id: 't1', content: '21', cache_control },
    ]);
  });
});
