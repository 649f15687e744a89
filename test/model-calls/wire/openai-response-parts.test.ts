import { expect } from 'chai';
import OpenAI from 'openai';
import type {
  Response,
  ResponseInputItem,
  ResponseOutputItem,
} from 'openai/resources/responses/responses';
import { type Answering, drain, json, startAnswering } from './answering.js';

describe('every part of a response of OpenAI', () => {
  let provider: Answering;

  before(async () => {
    provider = await startAnswering();
  });

  const client = () => new OpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1`, maxRetries: 0 });
  const items = [
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'Let me see.' }],
      encrypted_content: 'hidden',
    },
    {
      type: 'web_search_call',
      id: 'ws_1',
      status: 'completed',
      action: { type: 'search', query: 'rates', queries: ['rates'] },
    },
    {
      type: 'file_search_call',
      id: 'fs_1',
      status: 'completed',
      queries: ['rates'],
      results: [{ file_id: 'f', text: '4 %' }],
    },
    {
      type: 'code_interpreter_call',
      id: 'ci_1',
      status: 'completed',
      code: 'print(4)',
      container_id: 'c',
      outputs: [{ type: 'logs', logs: '4' }],
    },
    { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'AAAA' },
    {
      type: 'mcp_call',
      id: 'mcp_1',
      name: 'f',
      server_label: 's',
      arguments: '{}',
      output: '4',
    },
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [
        {
          type: 'output_text',
          text: 'It is 4 %.',
          annotations: [
            {
              type: 'url_citation',
              url: 'https://a.example',
              title: 'T',
              start_index: 0,
              end_index: 2,
            },
          ],
        },
        { type: 'refusal', refusal: 'No more.' },
      ],
    },
    { type: 'function_call', id: 'fc_1', call_id: 't1', name: 'f', arguments: '{"a":1}' },
    { type: 'custom_tool_call', id: 'ct_1', call_id: 't2', name: 'sql', input: 'SELECT 1' },
    { type: 'compaction', id: 'cm_1', encrypted_content: 'hidden' },
  ] satisfies ResponseOutputItem[];
  const turn = {
    role: 'assistant',
    content: [
      {
        ...{ type: 'reasoning', text: 'Let me see.' },
        ...{ id: 'rs_1', encrypted_content: 'hidden' },
      },
      ...items.slice(1, 6),
      {
        type: 'text',
        text: 'It is 4 %.',
        annotations:
          items[6]?.content?.[0] && 'annotations' in items[6].content[0]
            ? items[6].content[0].annotations
            : [],
      },
      { type: 'refusal', refusal: 'No more.' },
      items[9],
    ],
    tool_calls: [
      { id: 't1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
      { id: 't2', type: 'custom', custom: { name: 'sql', input: 'SELECT 1' } },
    ],
  };
  const response = {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model: 'gpt-5.5',
    output: items,
    usage: {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
      output_tokens: 50,
      output_tokens_details: { reasoning_tokens: 40 },
      total_tokens: 150,
    },
  } satisfies Partial<Response>;

  it('are kept of responses, built-in tools among them', async () => {
    const said = await provider.seenOf(json(response), () =>
      client().responses.create({ model: 'gpt-5.5', input: 'hello' }),
    );
    expect(said).to.deep.include({
      answer: [turn],
      tool_calls: [
        { id: 't1', name: 'f', arguments: { a: 1 } },
        { id: 't2', name: 'sql', arguments: 'SELECT 1' },
      ],
      finish_reason: 'completed',
      usage: { input: 100, cache_read: 60, cache_write: 10, output: 50, reasoning: 40 },
    });
  });

  it('are kept of a stream of responses that ends early', async () => {
    const added = (output_index: number, item: object) => ({
      type: 'response.output_item.added',
      output_index,
      item,
    });
    const events = [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      added(0, items[1] as object),
      { type: 'response.output_item.done', output_index: 0, item: items[1] as object },
      added(1, { type: 'code_interpreter_call', id: 'ci_1', code: '' }),
      { type: 'response.code_interpreter_call_code.delta', output_index: 1, delta: 'print(' },
      added(2, { type: 'mcp_call', id: 'mcp_1', name: 'f', server_label: 's', arguments: '' }),
      { type: 'response.mcp_call_arguments.delta', output_index: 2, delta: '{"a"' },
      added(3, { type: 'message', role: 'assistant', content: [] }),
      { type: 'response.refusal.delta', output_index: 3, delta: 'I can' },
      { type: 'response.refusal.delta', output_index: 3, delta: 'not' },
    ];
    const said = await provider.seenOf({ events }, async () =>
      drain(
        await client().responses.create({ model: 'gpt-5.5', input: 'hello', stream: true }),
      ).catch(() => {}),
    );
    expect(said).to.deep.include({
      cut: true,
      answer: [
        {
          role: 'assistant',
          content: [
            items[1],
            { type: 'code_interpreter_call', id: 'ci_1', code: 'print(' },
            { type: 'mcp_call', id: 'mcp_1', name: 'f', server_label: 's', arguments: '{"a"' },
            { type: 'refusal', refusal: 'I cannot' },
          ],
        },
      ],
    });
  });

  it('are kept of a request for a response', async () => {
    const approval = {
      type: 'mcp_approval_response',
      approval_request_id: 'r',
      approve: true,
    } as const;
    const file = { type: 'input_file', file_id: 'f' } as const;
    const input: ResponseInputItem[] = [
      { role: 'user', content: [{ type: 'input_text', text: 'hello' }, file] },
      ...items.slice(0, 9),
      {
        type: 'function_call_output',
        call_id: 't1',
        output: [{ type: 'input_text', text: '21' }],
      },
      { type: 'custom_tool_call_output', call_id: 't2', output: '1' },
      approval,
      { type: 'item_reference', id: 'rs_0' },
    ];
    const said = await provider.seenOf({}, () =>
      client().responses.create({ model: 'gpt-5.5', input }),
    );
    expect(said.messages).to.deep.equal([
      { role: 'user', content: [{ type: 'text', text: 'hello' }, file] },
      { ...turn, content: turn.content.slice(0, -1) },
      { role: 'tool', tool_call_id: 't1', content: '21' },
      { role: 'tool', tool_call_id: 't2', content: '1' },
      { role: 'user', content: [approval] },
      { role: 'assistant', content: [{ type: 'item_reference', id: 'rs_0' }] },
    ]);
  });
});
