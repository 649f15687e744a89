import { evaluation } from 'assay';
import { answer, retrieve } from './bot.js';

export const questions = evaluation({
  cases: [
    { id: 'returns', input: 'Are returns free?', reference: 'free within 30 days' },
    { id: 'express', input: 'What does express shipping cost?', reference: '9.90' },
    { id: 'standard', input: 'How long does standard shipping take?', reference: '3 days' },
    { id: 'warranty', input: 'How long is the warranty of a device?', reference: '2 years' },
    { id: 'water', input: 'Does the warranty cover water?', reference: 'not cover water' },
    { id: 'gift_cards', input: 'Are gift cards valid for ever?', reference: '3 years' },
    { id: 'pay', input: 'Can I pay by invoice?', reference: 'invoice' },
    { id: 'refund', input: 'When do I get my money back?', reference: '30 days' },
  ],
  target: async ({ input, metadata }) => {
    const found = await retrieve(input);
    metadata.found = found;
    return answer(input, found);
  },
  evaluators: [
    ({ metadata, reference }) => ({
      key: 'retrieved',
      passed: (metadata.found as string[]).some((text) => text.includes(reference)),
    }),
    ({ output, reference }) => ({ key: 'answered', passed: output.includes(reference) }),
  ],
});
