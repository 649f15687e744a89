import { expect } from 'chai';
import { conversationLines } from '../../../src/cli/show/conversation-lines.js';

describe('conversationLines', () => {
  const page = { columns: 60 };

  it('gives role, text and tool calls of messages, wrapped beside the role', () => {
    const call = { id: 'call_1', function: { name: 'weather', arguments: '{"city":"Wien"}' } };
    const messages = [
      {
        role: 'system',
        content: 'Be short.\nAlways be kind to the people who ask you for something.',
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Weather?' },
          { type: 'image_url', image_url: {} },
        ],
      },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: '21 °C' },
      { role: 'assistant', content: '\u001b[31mwarm' },
    ];
    expect(conversationLines(messages, page)).to.deep.equal([
      '    system     Be short.',
      '               Always be kind to the people who ask you for',
      '               something.',
      '    user       Weather?',
      '               [image_url]',
      '    assistant  → weather {"city":"Wien"}',
      '    tool       21 °C',
      '    assistant  \\u{1b}[31mwarm',
    ]);
  });

  it('reads the parts of each provider', () => {
    const lines = (content: object[]) =>
      conversationLines([{ role: 'a', content: content as never }], { columns: 100 })?.join('\n');
    for (const [part, text] of [
      [{ type: 'tool_use', id: 'a', name: 'find', input: { id: 7 } }, '→ find {"id":7}'],
      [{ functionCall: { name: 'find', args: { id: 7 } } }, '→ find {"id":7}'],
      [{ toolUse: { name: 'find', input: { id: 7 } } }, '→ find {"id":7}'],
      [{ type: 'tool-call', toolName: 'find', input: { id: 7 } }, '→ find {"id":7}'],
      [{ type: 'tool_result', content: [{ type: 'text', text: 'it' }] }, '← it'],
      [{ functionResponse: { name: 'find', response: { ok: true } } }, '← {"ok":true}'],
      [{ type: 'tool-result', output: { ok: true } }, '← {"ok":true}'],
      [{ type: 'thinking', thinking: 'Hm.' }, '(thinks) Hm.'],
      [{ text: 'Hm.', thought: true }, '(thinks) Hm.'],
      [{ type: 'document', source: 'a' }, '{"type":"document","source":"a"}'],
    ] as const) {
      expect(lines([part])).to.equal(`    a  ${text}`);
    }
  });

  it('gives what servers send beside the content: thoughts, refusals, older calls', () => {
    const older = { name: 'weather', arguments: '{"city":"Wien"}' };
    const messages = [
      { role: 'a', content: 'yes', reasoning_content: 'Hm.' },
      { role: 'a', content: 'yes', reasoning_content: '' },
      { role: 'a', content: null, refusal: 'No.' },
      { role: 'a', function_call: older },
    ];
    expect(conversationLines(messages, page)).to.deep.equal([
      '    a  (thinks) Hm.',
      '       yes',
      '    a  yes',
      '    a  No.',
      '    a  → weather {"city":"Wien"}',
    ]);
  });

  it('cuts long ones in the middle and says how to see all, and nothing without a command', () => {
    const long = Array.from({ length: 40 }, (_, at) => ({
      role: 'user',
      content: Array.from({ length: 20 }, (_, line) => `${at}.${line}`).join('\n'),
    }));
    const whole = 'assay show 1 a | more';
    const cut = conversationLines(long, { ...page, whole }) ?? [];
    expect(cut.slice(0, 12)).to.deep.equal([
      '    user  0.0',
      ...[1, 2, 3, 4, 5, 6, 7].map((line) => `          0.${line}`),
      '          … 9 more lines',
      ...[17, 18, 19].map((line) => `          0.${line}`),
    ]);
    // Of 40 messages, the first 6 and the last 23.
    expect(cut).to.have.length(29 * 12 + 2);
    expect(cut[6 * 12]).to.equal('    … 11 more messages');
    expect(cut[6 * 12 + 1]).to.equal('    user  17.0');
    expect(cut.at(-1)).to.equal(`    all of it: ${whole}`);
    const all = conversationLines(long, page);
    expect(all).to.have.length(800);
  });

  it('leaves other values alone', () => {
    for (const value of [
      null,
      'text',
      [],
      [1],
      [{ role: 'user' }],
      { role: 'user', content: 'a' },
    ]) {
      expect(conversationLines(value, page)).to.equal(undefined);
    }
  });
});
