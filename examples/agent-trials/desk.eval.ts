import assert from 'node:assert/strict';
import { evaluation, fromJsonl } from 'assay';
import { deskAgent } from './agent.js';

interface Ticket {
  readonly id: string;
  readonly input: string;
  readonly reference: { readonly tools: readonly string[] };
  readonly labels?: readonly string[];
}

/** Tickets from a file; the trial is the seed, so every trial may go another way. */
export const ticket = evaluation(
  {
    cases: fromJsonl<Ticket>(new URL('./tickets.jsonl', import.meta.url)),
    target: (ctx) => deskAgent(ctx.input, ctx.trial ?? 1),
    trials: 5,
    labels: ['agent'],
  },
  (ctx) => {
    assert.deepEqual(ctx.output.tools, ctx.reference.tools, 'calls the right tools, in order');
    assert.doesNotMatch(ctx.output.reply, /sorry/i, 'does not turn the customer away');
  },
);

/** Cases that are made while they are read, for instance from the pages of an API. */
async function* cancellations() {
  for (const order of [4001, 4002, 4003]) {
    const input = `Cancel order ${order}, and where is my other parcel?`;
    yield { id: `order-${order}`, input, reference: 'cancel' };
  }
}

export const cancelsFirst = evaluation(
  {
    cases: cancellations,
    target: (ctx) => deskAgent(ctx.input, ctx.trial ?? 1),
    trials: 5,
    labels: ['agent'],
  },
  (ctx) => {
    ctx.score('called', ctx.output.tools.includes(ctx.reference));
    ctx.score('tool_calls', ctx.output.tools.length);
  },
);
