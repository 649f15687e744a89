import { expect } from 'chai';
import { hasMessages, isConversation } from '../../src/model/conversation.js';

describe('isConversation', () => {
  it('knows lists of messages with a role and something said or done', () => {
    expect(isConversation([{ role: 'user', content: 'Hi' }])).to.equal(true);
    expect(isConversation([{ role: 'model', parts: [{ text: 'Hi' }] }])).to.equal(true);
    expect(isConversation([{ role: 'assistant', tool_calls: [] }])).to.equal(true);
  });

  it('takes nothing else for one', () => {
    const others = [
      'hi',
      null,
      [],
      {},
      [{ role: 'user' }],
      [{ content: 'Hi' }],
      [null],
      [['role']],
    ];
    for (const value of others)
      expect(isConversation(value), JSON.stringify(value)).to.equal(false);
    expect(isConversation([{ role: 'user', content: 'Hi' }, 'bye'])).to.equal(false);
  });
});

describe('hasMessages', () => {
  it('finds traced messages of any shape, and conversations as input or output', () => {
    const none = { input: 'a', output: 'b', trace_data: {} };
    const talk = [{ role: 'user', content: 'Hi' }];
    expect(hasMessages(none)).to.equal(false);
    expect(hasMessages({ ...none, trace_data: { messages: [] } })).to.equal(false);
    expect(hasMessages({ ...none, trace_data: { messages: ['hi'] } })).to.equal(true);
    expect(hasMessages({ ...none, input: talk })).to.equal(true);
    expect(hasMessages({ ...none, output: talk })).to.equal(true);
  });
});
