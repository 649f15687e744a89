import { evaluation } from 'assay';
import { chat, type Message } from './bot.js';

const textsOf = (messages: readonly Message[], role: Message['role']) =>
  messages.filter((message) => message.role === role).map(({ content }) => content);

/** Each input is what the customer says, message by message; the reference is part of the last answer. */
export const dialogues = evaluation({
  cases: [
    { id: 'one_message', input: ['Where is A-1001?'], reference: 'A-1001 is on its way' },
    {
      id: 'number_later',
      input: ['Where is my order?', 'A-1002'],
      reference: 'A-1002 is on its way',
    },
    {
      id: 'correction',
      input: ['I want my money back for A-1003.', 'Sorry, I meant A-1004.'],
      reference: 'refund for A-1004',
    },
    {
      id: 'two_topics',
      input: ['Where is A-1005?', 'Can I get a refund for it instead?'],
      reference: 'refund for A-1005',
    },
    { id: 'thanks', input: ['Where is A-1006?', 'Thank you!'], reference: 'welcome' },
    {
      id: 'long',
      input: [
        'My order is A-1007.',
        'Do you have gift cards?',
        'Do you ship to Norway?',
        'Which cards do you accept?',
        'Then please cancel my order.',
      ],
      reference: 'A-1007 is cancelled',
    },
    { id: 'off_topic', input: ['Write a poem about the sea.'], reference: 'help you with orders' },
  ],
  target: ({ input }) => chat(input),
  evaluators: [
    ({ output, reference }) => ({
      key: 'solved',
      passed: textsOf(output, 'assistant').at(-1)?.includes(reference) ?? false,
    }),
    ({ output }) => ({ key: 'asks_once', passed: !asksForWhatItWasTold(output) }),
    ({ output }) => ({
      key: 'short',
      passed: textsOf(output, 'assistant').every((text) => text.split(' ').length <= 20),
    }),
  ],
});

/** Whether the bot asks for an order after the customer has named it. */
function asksForWhatItWasTold(messages: readonly Message[]): boolean {
  const named = messages.findIndex(({ content }) => /\bA-\d+/.test(content));
  const later = named < 0 ? [] : messages.slice(named);
  return textsOf(later, 'assistant').some((text) => text.includes('Which order'));
}
