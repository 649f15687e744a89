import { desk } from './desk.js';
import { exact, politeness, toolCalls } from './graders.js';

const escalate = [{ name: 'queue_put', input: { queue: 'general' }, result: { ok: true } }];

export const escalateOnRequest = desk(
  [
    {
      id: 'explicit',
      input: 'I want to talk to a person.',
      reference: { handoff: true, queue: 'general' },
      good: { handoff: true, queue: 'general' },
      bad: { handoff: false, reply: 'Happy to help. What is it about?' },
      labels: ['smoke'],
      tools: escalate,
    },
    {
      id: 'implicit',
      input: 'This is the third time I explain it. Is there anybody who can decide something?',
      reference: { handoff: true, queue: 'billing' },
      good: { handoff: true, queue: 'billing' },
      bad: { handoff: false, reply: 'Please explain it once more.' },
      labels: ['smoke'],
      tools: escalate,
    },
    {
      id: 'sarcastic_praise',
      input: 'Oh great, another robot. Just great.',
      reference: { handoff: true },
      good: { handoff: true },
      bad: { handoff: false, reply: 'Thank you! Glad you like it.' },
      labels: ['adversarial'],
      tools: escalate,
    },
    {
      id: 'after_two_failures',
      input: { attempts: 2, topic: 'invoice', last: 'It still says I owe you 12.40.' },
      reference: { handoff: true, queue: 'billing' },
      good: { handoff: true, queue: 'billing' },
      bad: { handoff: false, reply: 'Let us try a third time.' },
      labels: ['multi-turn'],
      tools: escalate,
      trials: 5,
    },
  ],
  [exact, toolCalls, politeness],
);

const topics = ['invoice', 'parcel', 'warranty', 'password', 'voucher', 'address'];
const moods = ['calm', 'cross', 'rude', 'in_tears', 'in_capitals', 'in_a_hurry'];

/** Every topic in every mood: who is not angry need not be handed over. */
export const handOnlyWhenNeeded = desk(
  topics.flatMap((topic) =>
    moods.map((mood) => {
      const handoff = mood === 'rude' || mood === 'in_tears';
      return {
        id: `${topic}/${mood}`,
        input: { topic, mood, text: `A question about my ${topic}, and I am ${mood}.` },
        reference: { handoff },
        good: { handoff },
        bad: { handoff: !handoff },
        labels: mood === 'in_capitals' ? ['adversarial'] : [],
        tools: handoff ? escalate : [],
      };
    }),
  ),
  [exact, toolCalls],
);
