import { expect } from 'chai';
import type { JsonObject } from '../../../src/model/result.js';
import { readExchange } from '../../../src/model-calls/wire/read-exchange.js';

/** Requests of which the answers are streams of events. */
const apis = {
  chat: ['http://h/v1/chat/completions', { model: 'm', messages: [] }],
  messages: ['http://h/v1/messages', { model: 'm', max_tokens: 1, messages: [] }],
  cohere: ['http://h/v2/chat', { model: 'm', messages: [] }],
  responses: ['http://h/v1/responses', { model: 'm', input: 'x' }],
  google: ['http://h/v1/models/m:streamGenerateContent', { contents: [] }],
} as const;

/** The tool calls of an answer that is streamed. */
function callsOf(api: keyof typeof apis, events: readonly object[]) {
  const [url, body] = apis[api];
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  const headers = { 'content-type': 'text/event-stream' };
  const answer = { status: 200, headers, body: Buffer.from(text), complete: true, json: undefined };
  const read = readExchange({ method: 'POST', url, body: body as JsonObject }, answer);
  return read?.tool_calls?.map(({ name, arguments: args, not_json }) =>
    not_json ? [name, args, 'no JSON'] : [name, args],
  );
}

/** A piece of a tool call of chat completions: its name, its arguments, its id. */
type Piece = readonly [name: string | null, args?: unknown, id?: string];

const chat = (...chunks: readonly (readonly Piece[])[]) =>
  chunks.map((pieces) => {
    const tool_calls = pieces.map(([name, args, id]) => ({
      index: 0,
      ...(id !== undefined && { id }),
      function: {
        ...(name !== null && { name }),
        ...(args !== undefined && { arguments: args }),
      },
    }));
    return { choices: [{ index: 0, delta: { tool_calls } }] };
  });

const begin = (index: number | undefined, name: string) => ({
  type: 'content_block_start',
  index,
  content_block: { type: 'tool_use', name, input: {} },
});
const grow = (index: number | undefined, json: string) => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'input_json_delta', partial_json: json },
});
const started = { type: 'message_start', message: { role: 'assistant', content: [] } };

const cohere = (type: string, index: number, made: object) => ({
  type: `tool-call-${type}`,
  index,
  delta: { message: { tool_calls: { function: made } } },
});

const item = (type: string, made: object) => ({
  type: `response.output_item.${type}`,
  output_index: 0,
  item: { type: 'function_call', ...made },
});

const one = ['a', { x: 1 }];
const two = [one, ['a', { x: 2 }]];
const both = [one, ['b', { y: 2 }]];

describe('streamed tool calls that have one index and no ids', () => {
  for (const [what, events, calls] of [
    ['whole', chat([['a', '{"x":1}']], [['b', '{"y":2}']]), both],
    ['of one tool', chat([['a', '{"x":1}']], [['a', '{"x":2}']]), two],
    [
      'in one piece',
      chat([
        ['a', '{"x":1}'],
        ['a', '{"x":2}'],
      ]),
      two,
    ],
    [
      'name first',
      chat([['a', '']], [[null, '{"x"']], [[null, ':1}']], [['a', '']], [[null, '{"x":2}']]),
      two,
    ],
    ['name alone first', chat([['a']], [[null, '{"x":1}']], [['a']], [[null, '{"x":2}']]), two],
    [
      'name in each piece',
      chat([['a', '{"x"']], [['a', ':1}']], [['a', '']], [['b', '{"y":2}']]),
      both,
    ],
    ['without arguments', chat([['a', '']], [['b', '{"y":2}']]), [['a', {}], both[1]]],
    ['by turns', chat([['a', '{"x"']], [['b', '{"y"']], [['a', ':1}']], [['b', ':2}']]), both],
    ['arguments as objects', chat([['a', { x: 1 }]], [['a', { x: 2 }]]), two],
    ['one id for all', chat([['a', '{"x":1}', 'id']], [['b', '{"y":2}', 'id']]), both],
    ['sent again as a whole', chat([['a', '{"x":1}', 'id']], [['a', '{"x":1}', 'id']]), [one]],
    ['no JSON', chat([['a', '{"x": oops']]), [['a', '{"x": oops', 'no JSON']]],
  ] as const) {
    it(`are apart in chat completions: ${what}`, () => {
      expect(callsOf('chat', events)).to.deep.equal(calls);
    });
  }

  it('are apart in custom tools, whose input is no JSON', () => {
    const piece = (custom: object) => ({
      choices: [{ index: 0, delta: { tool_calls: [{ index: 0, type: 'custom', custom }] } }],
    });
    const events = [
      piece({ name: 'sql', input: 'SELECT ' }),
      piece({ input: '1' }),
      piece({ name: 'sql', input: 'SELECT 2' }),
    ];
    expect(callsOf('chat', events)).to.deep.equal([
      ['sql', 'SELECT 1'],
      ['sql', 'SELECT 2'],
    ]);
  });

  it('are one in the older function_call', () => {
    const piece = (function_call: object) => ({
      choices: [{ index: 0, delta: { function_call } }],
    });
    const events = [piece({ name: 'a', arguments: '{"x"' }), piece({ arguments: ':1}' })];
    expect(callsOf('chat', events)).to.deep.equal([one]);
  });

  for (const [api, what, events, calls] of [
    [
      'messages',
      'one after the other',
      [started, begin(0, 'a'), grow(0, '{"x":1}'), begin(0, 'a'), grow(0, '{"x":2}')],
      two,
    ],
    [
      'messages',
      'by turns',
      [started, begin(0, 'a'), begin(1, 'b'), grow(0, '{"x"'), grow(1, '{"y":2}'), grow(0, ':1}')],
      both,
    ],
    ['messages', 'a text in JSON', [started, begin(0, 'a'), grow(0, '"text"')], [['a', 'text']]],
    ['messages', 'no JSON', [started, begin(0, 'a'), grow(0, 'oops')], [['a', 'oops', 'no JSON']]],
    [
      'cohere',
      'one after the other',
      [
        cohere('start', 0, { name: 'a' }),
        cohere('delta', 0, { arguments: '{"x":1}' }),
        cohere('start', 0, { name: 'a', arguments: '{"x":2}' }),
      ],
      two,
    ],
    [
      'cohere',
      'by turns',
      [
        cohere('start', 0, { name: 'a' }),
        cohere('start', 1, { name: 'b' }),
        cohere('delta', 0, { arguments: '{"x":1}' }),
        cohere('delta', 1, { arguments: '{"y":2}' }),
      ],
      both,
    ],
    [
      'cohere',
      'arguments as objects',
      [cohere('start', 0, { name: 'a', arguments: { x: 1 } })],
      [one],
    ],
    [
      'responses',
      'one after the other',
      [
        item('added', { name: 'a' }),
        item('done', { name: 'a', arguments: '{"x":1}' }),
        item('added', { name: 'b' }),
        item('done', { name: 'b', arguments: '{"y":2}' }),
      ],
      both,
    ],
    [
      'responses',
      'arguments as objects',
      [item('done', { name: 'a', arguments: { x: 1 } })],
      [one],
    ],
    [
      'google',
      'in one event and the next',
      [
        {
          candidates: [
            {
              content: {
                role: 'model',
                parts: [
                  { functionCall: { name: 'a', args: { x: 1 } } },
                  { functionCall: { name: 'a', args: { x: 2 } } },
                ],
              },
            },
          ],
        },
      ],
      two,
    ],
  ] as const) {
    it(`are apart in ${api}: ${what}`, () => {
      expect(callsOf(api, events)).to.deep.equal(calls);
    });
  }
});
