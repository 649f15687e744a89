import { expect } from 'chai';
import type { MessagePart as Part } from '../../../src/model/calls/message-parts.js';
import {
  blocksOf,
  callNames,
  callsOf,
  hasFailed,
  turnsOf,
} from '../../../ui/src/result/conversation/blocks.js';
import { readMessages, readTraced } from '../../../ui/src/result/conversation/read-messages.js';
import { firstLines } from '../../../ui/src/result/values/text-lines.js';

/** Who says each line, and its parts. */
function told(messages: unknown): readonly (readonly [string, ...Part[]])[] {
  return (readMessages(messages) ?? []).map(({ who, parts }) => [who, ...parts]);
}

const thought: Part = { kind: 'thinking', text: 'Two orders.' };
const hidden: Part = { kind: 'thinking', text: '' };
const source = { title: 'Fees', url: 'https://a.example/fees' };

describe('thoughts of a model', () => {
  const shapes: Readonly<Record<string, object>> = {
    'what is kept of calls': { content: [{ type: 'reasoning', text: 'Two orders.' }] },
    Anthropic: { content: [{ type: 'thinking', thinking: 'Two orders.', signature: 's' }] },
    'OpenAI summaries': {
      content: [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Two orders.' }] }],
    },
    Google: { parts: [{ text: 'Two orders.', thought: true }] },
    Bedrock: { content: [{ reasoningContent: { reasoningText: { text: 'Two orders.' } } }] },
    DeepSeek: { content: '', reasoning_content: 'Two orders.' },
    OpenRouter: { content: '', reasoning: 'Two orders.' },
    Ollama: { content: '', thinking: 'Two orders.' },
  };
  for (const [name, message] of Object.entries(shapes)) {
    it(`are told from what it says: ${name}`, () => {
      expect(told([{ role: 'assistant', ...message }])).to.deep.equal([['thinking', thought]]);
    });
  }

  it('have lines of their own beside the text', () => {
    const content = [
      { type: 'thinking', thinking: 'Two orders.' },
      { type: 'text', text: 'You have two.' },
    ];
    expect(told([{ role: 'assistant', content }])).to.deep.equal([
      ['thinking', thought],
      ['assistant', { kind: 'text', text: 'You have two.' }],
    ]);
  });

  it('that are encrypted are empty', () => {
    for (const part of [
      { type: 'redacted_thinking', data: 'AAAA' },
      { type: 'reasoning', text: '', encrypted_content: 'AAAA' },
      { type: 'reasoningContent', reasoningContent: { redactedContent: 'AAAA' } },
    ]) {
      expect(told([{ role: 'assistant', content: [part] }])).to.deep.equal([
        ['thinking', { ...hidden, isEncrypted: true }],
      ]);
    }
  });

  it('that the provider keeps to itself are not called encrypted', () => {
    const part = { type: 'reasoning', text: '', id: 'rs_1' };
    expect(told([{ role: 'assistant', content: [part] }])).to.deep.equal([['thinking', hidden]]);
  });

  it('name the item that they refer to', () => {
    const part = { type: 'item_reference', id: 'msg_7' };
    expect(told([{ role: 'assistant', content: [part] }])).to.deep.equal([
      ['assistant', { kind: 'text', text: 'Item msg_7 of an earlier answer' }],
    ]);
  });

  it('mark arguments of a call that are no JSON', () => {
    const called = (args: string) =>
      told([{ role: 'assistant', tool_calls: [{ function: { name: 'find', arguments: args } }] }]);
    expect(JSON.stringify(called('{"a'))).to.include('"isNotJson":true');
    for (const args of ['', '{}', '5']) {
      expect(JSON.stringify(called(args))).to.not.include('isNotJson');
    }
  });

  it('are items beside messages in OpenAI Responses', () => {
    const items = [
      { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'Two orders.' }] },
      { type: 'function_call', id: 'fc', call_id: 'c', name: 'find', arguments: '{"q":1}' },
      { type: 'function_call_output', call_id: 'c', output: '[2]' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Two.' }] },
    ];
    expect(told(items)).to.deep.equal([
      ['thinking', thought],
      ['call', { kind: 'call', id: 'c', name: 'find', given: { q: 1 }, answer: [2] }],
      ['assistant', { kind: 'text', text: 'Two.' }],
    ]);
  });
});

describe('citations of a model', () => {
  const shapes: Readonly<Record<string, object>> = {
    Anthropic: {
      type: 'text',
      text: 'It is 4 %.',
      citations: [{ type: 'web_search_result_location', cited_text: '4 %', ...source }],
    },
    'OpenAI Responses': {
      type: 'output_text',
      text: 'It is 4 %.',
      annotations: [{ type: 'url_citation', start_index: 0, end_index: 4, ...source }],
    },
    Bedrock: {
      type: 'text',
      text: 'It is 4 %.',
      citations: [
        { title: 'Fees', location: { web: { url: source.url } }, sourceContent: [{ text: '4 %' }] },
      ],
    },
    Cohere: { type: 'text', text: 'It is 4 %.', citations: [{ document_ids: ['Fees'] }] },
  };
  for (const [name, part] of Object.entries(shapes)) {
    it(`stay with the text: ${name}`, () => {
      const [[, said] = []] = told([{ role: 'assistant', content: [part, part] }]);
      if (said?.kind !== 'text') throw new Error('no text');
      expect(said.sources).to.have.length(1);
      expect(said.sources?.[0]).to.include({ title: 'Fees' });
      if (name !== 'Cohere') expect(said.sources?.[0]).to.include(source);
      if (['Anthropic', 'Bedrock'].includes(name)) {
        expect(said.sources?.[0]).to.include({ quote: '4 %' });
      }
    });
  }

  it('of the whole message follow it', () => {
    const message = {
      role: 'assistant',
      content: 'It is 4 %.',
      annotations: [{ type: 'url_citation', url_citation: source }],
    };
    expect(told([message])[0]?.[2]).to.deep.equal({ kind: 'sources', sources: [source] });
    const { url: uri, title } = source;
    const google = {
      role: 'model',
      parts: [
        { text: 'It is 4 %.' },
        { groundingMetadata: { groundingChunks: [{ web: { uri, title } }] } },
      ],
    };
    expect(told([google])[0]?.[2]).to.deep.equal({ kind: 'sources', sources: [source] });
  });
});

describe('tools that a provider runs', () => {
  const shapes: Readonly<Record<string, readonly object[]>> = {
    'web search of Anthropic': [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'fees' } },
      {
        type: 'web_search_tool_result',
        tool_use_id: 's',
        content: [{ type: 'web_search_result', ...source, encrypted_content: 'AAAA' }],
      },
    ],
    'MCP of Anthropic': [
      { type: 'mcp_tool_use', id: 's', name: 'web_search', server_name: 'm', input: {} },
      { type: 'mcp_tool_result', tool_use_id: 's', content: [{ type: 'text', text: 'fees' }] },
    ],
    'web search of OpenAI': [
      { type: 'web_search_call', id: 's', action: { query: 'fees' }, results: [source] },
    ],
    'MCP of OpenAI': [{ type: 'mcp_call', name: 'web_search', arguments: '{}', output: 'fees' }],
    'tools of Bedrock': [
      { toolUse: { toolUseId: 's', name: 'web_search', input: {}, type: 'server_tool_use' } },
      { toolResult: { toolUseId: 's', content: [{ text: 'fees' }] } },
    ],
    'tools of the AI SDK': [
      {
        type: 'tool-call',
        toolCallId: 's',
        toolName: 'web_search',
        input: {},
        providerExecuted: true,
      },
      { type: 'tool-result', toolCallId: 's', toolName: 'web_search', output: 'fees' },
    ],
  };
  for (const [name, content] of Object.entries(shapes)) {
    it(`are calls that say so, with their answer: ${name}`, () => {
      const lines = told([{ role: 'assistant', content }]);
      expect(lines).to.have.length(1);
      const [[who, call] = []] = lines;
      expect(who).to.equal('call');
      expect(call).to.include({ kind: 'call', name: 'web_search', isHosted: true });
      expect(JSON.stringify(call)).to.contain('fees').and.not.to.contain('AAAA');
    });
  }

  it('are code that Gemini runs, with what it printed', () => {
    const parts = [
      { executableCode: { language: 'PYTHON', code: 'print(4)' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '4\n' } },
      { text: 'Four.' },
    ];
    expect(told([{ role: 'model', parts }])[0]?.[1]).to.deep.include({
      name: 'code execution',
      given: 'print(4)',
      answer: '4\n',
      isHosted: true,
    });
  });
});

describe('calls without ids', () => {
  it('are answered in order', () => {
    const call = (q: number) => ({ functionCall: { name: 'find', args: { q } } });
    const answer = (n: number) => ({ functionResponse: { name: 'find', response: { n } } });
    const lines = told([
      { role: 'model', parts: [call(1), call(2)] },
      { role: 'user', parts: [answer(10), answer(20)] },
    ]);
    expect(lines.map(([, part]) => part)).to.deep.equal([
      { kind: 'call', id: 'find', name: 'find', given: { q: 1 }, answer: { n: 10 } },
      { kind: 'call', id: 'find', name: 'find', given: { q: 2 }, answer: { n: 20 } },
    ]);
  });
});

describe('blocks of a conversation', () => {
  it('bring calls in a row together, with names and failures', () => {
    const call = (id: string, name: string) => ({ type: 'tool_use', id, name, input: {} });
    const answer = (id: string, content: string, is_error = false) => ({
      type: 'tool_result',
      tool_use_id: id,
      content,
      is_error,
    });
    const messages =
      readTraced([
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: [call('1', 'find'), call('2', 'read'), call('3', 'read')] },
        {
          role: 'user',
          content: [
            answer('1', '{"ok":false}'),
            answer('2', 'x', true),
            answer('3', '{"ok":true}'),
          ],
        },
        { role: 'assistant', content: 'Done.' },
      ]) ?? [];
    const blocks = blocksOf(messages, true);
    expect(blocks.map(({ from, messages: its }) => [from, its.length])).to.deep.equal([
      [0, 1],
      [1, 3],
      [4, 1],
    ]);
    const calls = callsOf(blocks[1]?.messages ?? []);
    expect(callNames(calls)).to.equal('find, read ×2');
    expect(calls.map(hasFailed)).to.deep.equal([true, true, false]);
    expect(turnsOf(blocks)).to.deep.equal([{ block: 0, words: 'Go.', failed: 2 }]);
  });

  it('are turns by the first words of the user', () => {
    const said = [
      { role: 'system', content: 'You are an agent.' },
      { role: 'user', content: '\n Where is it?\nI have asked before.' },
      { role: 'assistant', content: 'On its way.' },
      {
        role: 'human',
        content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }],
      },
      { role: 'user', content: { order: 'A-7' } },
      { role: 'user', content: '' },
      { role: 'user', content: `Oh\u0007 ${'dear '.repeat(100)}` },
    ];
    const turns = turnsOf(blocksOf(readTraced(said) ?? [], true));
    expect(turns.map(({ block, words }) => [block, words.slice(0, 16)])).to.deep.equal([
      [1, 'Where is it? I h'],
      [3, 'Image'],
      [4, '{ "order": "A-7"'],
      [5, 'No words'],
      [6, 'Oh⟨0007⟩ dear de'],
    ]);
    expect(turns.at(-1)?.words.length).to.be.below(220);
  });

  it('cut texts to twelve lines, and no text by a line or two', () => {
    const lines = (n: number) => Array.from({ length: n }, (_, at) => `line ${at}`).join('\n');
    expect(firstLines(lines(14))).to.equal(undefined);
    expect(firstLines(lines(15))).to.equal(`${lines(12)}\n`);
    const paragraph = 'a word '.repeat(500);
    expect(firstLines(paragraph)?.length).to.be.within(900, 1100);
  });
});
