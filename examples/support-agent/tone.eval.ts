import { desk } from './desk.js';
import { correctness, noLeak, politeness } from './graders.js';

const customers = [
  {
    id: 'angry_de',
    input: 'Das ist jetzt das dritte Paket, das kaputt ankommt!',
    reference: 'leid',
    good: 'Es tut mir leid, dass auch das dritte Paket beschädigt war. Ich schicke Ihnen gern sofort ein neues.',
    bad: 'Bitte wenden Sie sich an den Paketdienst.',
    labels: ['de'],
  },
  {
    id: 'terse',
    input: 'refund. now.',
    reference: 'order',
    good: 'I can do that. Which order is it about?',
    bad: 'Certainly! I would be absolutely delighted to look into this for you right away!',
  },
  {
    id: 'emoji_only',
    input: '😡📦❓',
    reference: 'sorry',
    good: 'I am sorry something went wrong with your parcel. Which order is it?',
    bad: '😊📦✅',
  },
  {
    id: 'thanks',
    input: 'Thanks, that solved it!',
    reference: 'welcome',
    good: 'You are welcome!',
    bad: 'Is there anything else I can help you with today? Please rate this conversation.',
  },
];

export const toneMatches = desk(
  [1, 2, 3, 4, 5, 6, 7, 8].flatMap((round) =>
    customers.map(({ id, ...rest }) => ({ ...rest, id: `${id}_${round}` })),
  ),
  [correctness, noLeak, politeness],
);

/** Only how it sounds is measured: a value has no verdict. */
export const summaryForHuman = desk(
  ['long_thread', 'short_thread', 'three_topics', 'mixed_languages', 'no_question'].map((id) => ({
    id,
    input: `[14 messages] ${id.replace('_', ' ')}: my router was replaced in October, and the new one drops the line every evening at eight.`,
    good: 'Customer reports a second failed router after the swap in October. Wants a technician, please. Line test was fine on 3 November.',
    bad: 'The customer has a problem with something.',
    labels: ['multi-turn'],
  })),
  [politeness],
);
