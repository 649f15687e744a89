import { expect } from 'chai';
import type { Json } from '../../../src/model/json.js';
import { readExchange } from '../../../src/model-calls/wire/read-exchange.js';

const usage = {
  billed_units: { input_tokens: 5, output_tokens: 41 },
  tokens: { input_tokens: 71, output_tokens: 41 },
};
const counted = { input: 71, output: 41, billed_input: 5, billed_output: 41 };
const messages = [{ role: 'user', content: 'Weather?' }];
const asked = { model: 'command-a-03-2025', messages };

/** A list is a stream of events, of JSON lines where the type says so. */
function read(path: string, body: object, answer: object | readonly object[], type?: string) {
  const texts = (Array.isArray(answer) ? answer : [answer]).map((one) => JSON.stringify(one));
  const isSse = Array.isArray(answer) && type === undefined;
  const text = texts.map((one) => (isSse ? `data: ${one}\n\n` : `${one}\n`)).join('');
  return readExchange(
    { method: 'POST', url: `http://127.0.0.1:9${path}`, body: body as Json },
    {
      status: 200,
      headers: { 'content-type': type ?? (isSse ? 'text/event-stream' : 'application/json') },
      body: new TextEncoder().encode(text),
      complete: true,
    },
  );
}

describe('calls of Cohere', () => {
  it('are read with messages, thoughts, tools, citations and billed tokens', () => {
    const call = {
      id: 't1',
      type: 'function',
      function: { name: 'weather', arguments: '{"a":1}' },
    };
    const tools = [{ type: 'function', function: { name: 'weather' } }];
    const history = [
      ...messages,
      { role: 'assistant', tool_plan: 'I look.', tool_calls: [call] },
      { role: 'tool', tool_call_id: 't1', content: '21 °C' },
    ];
    const citation = { start: 0, end: 2, text: 'It', sources: [] };
    const seen = read(
      '/v2/chat',
      { ...asked, messages: history, tools, temperature: 0 },
      {
        id: 'c1',
        finish_reason: 'COMPLETE',
        message: {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Easy.' },
            { type: 'text', text: 'It is 21 °C.' },
          ],
          citations: [citation],
        },
        usage: { ...usage, cached_tokens: 16 },
      },
    );
    expect(seen).to.deep.equal({
      provider: 'cohere',
      operation: 'chat',
      model: 'command-a-03-2025',
      messages: [
        ...messages,
        {
          role: 'assistant',
          tool_calls: [call],
          content: [{ type: 'reasoning', text: 'I look.' }],
        },
        { role: 'tool', tool_call_id: 't1', content: '21 °C' },
      ],
      tools,
      parameters: { temperature: 0 },
      response_id: 'c1',
      answer: [
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'Easy.' },
            { type: 'text', text: 'It is 21 °C.', citations: [citation] },
          ],
        },
      ],
      finish_reason: 'COMPLETE',
      usage: { ...counted, cache_read: 16 },
    });
  });

  it('are put together from a stream, with parallel tool calls', () => {
    const delta = (type: string, message: object, more = {}) => ({
      type,
      delta: { message },
      ...more,
    });
    const start = (id: string) =>
      delta('tool-call-start', {
        tool_calls: { id, type: 'function', function: { name: id, arguments: '' } },
      });
    const piece = (text: string) =>
      delta('tool-call-delta', { tool_calls: { function: { arguments: text } } });
    const events = [
      delta('message-start', { role: 'assistant', content: [], tool_calls: [] }, { id: 'c2' }),
      delta('tool-plan-delta', { tool_plan: 'I ' }),
      delta('tool-plan-delta', { tool_plan: 'look.' }),
      ...[start('one'), piece('{"a"'), piece(':1}'), { type: 'tool-call-end' }],
      ...[start('two'), piece('{}'), { type: 'tool-call-end' }],
    ];
    const end = { type: 'message-end', delta: { finish_reason: 'TOOL_CALL', usage } };
    const seen = read('/v2/chat', { ...asked, stream: true }, [...events, end]);
    expect(seen?.tool_calls).to.deep.equal([
      { id: 'one', name: 'one', arguments: { a: 1 } },
      { id: 'two', name: 'two', arguments: {} },
    ]);
    expect(seen?.answer?.[0]?.content).to.deep.equal([{ type: 'reasoning', text: 'I look.' }]);
    expect(seen).to.deep.include({
      ...{ response_id: 'c2', finish_reason: 'TOOL_CALL', usage: counted, stream: true },
    });
    expect(seen).to.not.have.property('cut');
    expect(read('/v2/chat', asked, events)).to.include({ cut: true });
  });

  it('of version 1 are read whole and streamed, as lines of JSON', () => {
    const body = {
      ...{ model: 'command-r-08-2024', message: 'And now?', preamble: 'Be short.' },
      chat_history: [
        { role: 'USER', message: 'Hi' },
        { role: 'CHATBOT', message: 'Hello' },
      ],
      tool_results: [{ call: { name: 'weather', parameters: {} }, outputs: [{ t: 21 }] }],
    };
    const whole = {
      ...{ response_id: 'r1', generation_id: 'g1', text: 'Sunny.', finish_reason: 'COMPLETE' },
      tool_calls: [{ name: 'weather', parameters: { city: 'Wien' } }],
      meta: { api_version: { version: '1' }, ...usage },
    };
    const seen = read('/v1/chat', body, whole);
    expect(seen?.messages).to.deep.equal([
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: 'And now?' },
      { role: 'tool', content: '[{"t":21}]', name: 'weather' },
    ]);
    const result = {
      ...{ provider: 'cohere', model: 'command-r-08-2024', response_id: 'r1', usage: counted },
      tool_calls: [{ name: 'weather', arguments: { city: 'Wien' } }],
      finish_reason: 'COMPLETE',
    };
    expect(seen).to.deep.include(result);
    const events = [
      { event_type: 'stream-start', is_finished: false, generation_id: 'g1' },
      { event_type: 'text-generation', is_finished: false, text: 'Sun' },
      { event_type: 'text-generation', is_finished: false, text: 'ny.' },
    ];
    const end = {
      event_type: 'stream-end',
      is_finished: true,
      finish_reason: 'COMPLETE',
      response: whole,
    };
    const streamed = read('/v1/chat', body, [...events, end], 'application/stream+json');
    expect(streamed).to.deep.include({ ...result, stream: true });
    expect(streamed?.answer?.[0]?.content).to.equal('Sunny.');
    const cut = read('/v1/chat', body, events, 'application/stream+json');
    expect(cut).to.include({ cut: true });
    expect(cut?.answer?.[0]?.content).to.equal('Sunny.');
  });

  it('that rank and embed bill searches and tokens', () => {
    const ranked = {
      results: [{ index: 1, relevance_score: 0.9 }],
      meta: { billed_units: { search_units: 2 } },
    };
    const ranking = { model: 'rerank-v3.5', query: 'q', documents: ['a', { text: 'b' }] };
    for (const path of ['/v1/rerank', '/v2/rerank']) {
      expect(read(path, ranking, ranked)).to.deep.include({
        ...{
          provider: 'cohere',
          operation: 'rerank',
          model: 'rerank-v3.5',
          usage: { searches: 2 },
        },
      });
    }
    const voyage = {
      data: [{ index: 0, relevance_score: 1 }],
      model: 'rerank-2',
      usage: { total_tokens: 26 },
    };
    expect(read('/v1/rerank', ranking, voyage)?.usage).to.deep.equal({ input: 26 });
    const embedding = { model: 'embed-v4.0', texts: ['a'], input_type: 'search_query' };
    for (const embeddings of [[[0.1]], { float: [[0.1]] }]) {
      const answer = { id: 'e', embeddings, meta: { billed_units: { input_tokens: 3 } } };
      expect(read('/v2/embed', embedding, answer)).to.deep.include({
        ...{ operation: 'embeddings', model: 'embed-v4.0', usage: { input: 3 } },
      });
    }
  });

  it('are not those of other servers with such addresses', () => {
    expect(read('/v1/chat', { message: 'hi' }, { text: 'hello' })).to.equal(undefined);
    expect(read('/v2/chat', { model: 'm', messages }, { reply: 'hello' })).to.equal(undefined);
    expect(read('/rerank', { query: 'q', documents: [] }, { ok: true })).to.equal(undefined);
  });
});
