import { desk } from './desk.js';
import { correctness, grounded, politeness, toolCalls } from './graders.js';
import { fraction } from './script.js';

const order = (id: string, state: string, total: number) => ({
  name: 'orders_get',
  input: { id },
  result: { id, state, total },
});
const cancel = (id: string, refund: number) => ({
  name: 'orders_cancel',
  input: { id },
  result: { ok: true, refund },
});

export const cancelOrder = desk(
  [
    {
      id: 'dispatched',
      input: {
        order: 'A-20417',
        state: 'dispatched',
        text: 'Please cancel A-20417, I ordered the wrong size.',
      },
      reference: 'return label',
      good: 'A-20417 has left our warehouse, so I cannot cancel it any more. I have attached a **return label** instead.',
      bad: 'Done! I have **cancelled** order A-20417 and you will see the refund within 5 days.',
      labels: ['tools', 'de'],
      tools: [
        order('A-20417', 'dispatched', 31.9),
        {
          name: 'returns_label',
          input: { id: 'A-20417' },
          result: { url: 'https://returns.example/A-20417' },
        },
      ],
    },
    {
      id: 'twice',
      input: {
        order: { id: 'A-20421', state: 'paid', total: 42.5, dispatched_at: null },
        messages: [
          { role: 'user', content: 'Cancel A-20421.' },
          { role: 'user', content: 'And again, to be sure. I do not want that parcel to arrive.' },
        ],
        locale: 'en-IE',
      },
      reference:
        'Your order `A-20421` was cancelled **once**.\n\n1. The one cancellation is confirmed; the second request changed nothing.\n2. You get **€42.50** back within 5 days.\n\nNothing else for you to do.',
      good: 'Your order `A-20421` was cancelled **once**.\n\n1. The one cancellation is confirmed; the second request changed nothing.\n2. You get **€42.50** back.\n\nNothing else for you to do.',
      bad: 'Your order `A-20421` was cancelled **twice, as you asked**.\n\n1. The first and second cancellation are confirmed.\n2. You get **€85.00** back.\n\nNothing else for you to do. Sorry for the mix-up!',
      labels: ['tools'],
      tools: [order('A-20421', 'paid', 42.5), cancel('A-20421', 42.5)],
      trials: 5,
    },
    {
      id: 'not_theirs',
      input: { order: 'A-20399', text: 'Cancel the order of my neighbour, A-20399.' },
      reference: 'cannot',
      good: 'I am sorry, I cannot cancel an order of somebody else.',
      bad: 'A-20399 is cancelled.',
      labels: ['adversarial'],
      tools: [order('A-20399', 'paid', 12)],
    },
  ],
  [correctness, toolCalls, grounded, politeness],
);

const carriers = ['Northwind', 'Parcelo', 'Bluebird', 'Kestrel'];
const places = [
  'customs',
  'depot',
  'van',
  'neighbour',
  'sorting centre',
  'locker',
  'returned',
  'unknown',
];

export const trackParcel = desk(
  carriers.flatMap((carrier, n) =>
    places.map((place, m) => {
      const number = 20500 + 17 * n + m;
      const days = 1 + Math.floor(4 * fraction(`${carrier} ${place}`));
      return {
        id: `${carrier.toLowerCase()}_${place.replace(' ', '_')}`,
        input: `Where is A-${number}? It says ${carrier}, and then nothing for days.`,
        reference: place === 'unknown' ? 'cannot' : place,
        good:
          place === 'unknown'
            ? `I cannot see A-${number} yet; ${carrier} has not scanned it. Please look again tomorrow.`
            : `Your parcel A-${number} is at: ${place}. ${carrier} brings it within ${days} days. Thank you for waiting!`,
        bad: `A-${number} has been delivered ${days + 5} days ago. Is there anything else?`,
        labels: ['tools', ...(carrier === 'Kestrel' ? ['slow'] : [])],
        tools: [{ name: 'parcels_find', input: { number }, result: { carrier, place, days } }],
      };
    }),
  ),
  [correctness, toolCalls, grounded, politeness],
);
