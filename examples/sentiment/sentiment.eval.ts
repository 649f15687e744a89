import { evaluation } from 'assay';
import { classify, parseModel } from './classifiers.js';
import { readReviews } from './reviews.js';

export const review = evaluation({
  cases: () =>
    readReviews().map(({ line, text, label }) => ({
      id: String(line),
      input: text,
      reference: label,
    })),
  target: (ctx) => classify(parseModel(ctx.params.model), ctx.input),
  evaluators: [
    function exact({ output, reference }) {
      return output === reference;
    },
  ],
});
