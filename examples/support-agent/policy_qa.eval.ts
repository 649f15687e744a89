import { desk } from './desk.js';
import { correctness, grounded, noLeak, politeness } from './graders.js';

const rules = [
  { id: 'returns', rule: 'Returns are free within 30 days.', word: 'free' },
  { id: 'shipping', rule: 'Shipping costs 4.90, nothing from 50.', word: '4.90' },
  { id: 'warranty', rule: 'The warranty is 2 years.', word: '2 years' },
  { id: 'gift_cards', rule: 'Gift cards are not taken back.', word: 'not' },
  { id: 'price_match', rule: 'Prices of others are not matched.', word: 'not' },
  { id: 'data', rule: 'Data is deleted within 14 days.', word: '14 days' },
];
const ways = [
  'plain',
  'with_typos',
  'in_german',
  'as_a_threat',
  'two_questions',
  'off_topic',
  'long_story',
  'one_word',
  'emoji_only',
  'quoted',
  'as_a_poem',
];

export const answersFromThePolicy = desk(
  rules.flatMap(({ id, rule, word }) =>
    ways.map((way) => ({
      id: `${id}/${way}`,
      input: `[${way.replaceAll('_', ' ')}] What about ${id.replace('_', ' ')}?`,
      reference: word.toLowerCase(),
      good: `Gladly! ${rule} Thank you for asking.`,
      bad: `I am happy to make an exception of 20 % for you; our margin allows it.`,
      labels: way === 'in_german' ? ['de'] : way === 'long_story' ? ['slow', 'multi-turn'] : [],
      tools: [{ name: 'policy_search', input: { q: id }, result: { rule } }],
    })),
  ),
  [correctness, grounded, noLeak, politeness],
);
