import { expect } from 'chai';
import { passes } from '../../src/model/result.js';
import { runExample } from './run-example.js';

describe('examples/agent-trials', () => {
  it('passes some tickets in every trial, some in a few, and one in none', async () => {
    const run = await runExample('examples/agent-trials');
    const counts = new Map<string, number>();
    for (const { trial_of, result } of run.results) {
      const base = trial_of ?? 'no trial';
      counts.set(base, (counts.get(base) ?? 0) + Number(passes(result)));
    }
    const file = 'examples/agent-trials/desk.eval.ts';
    expect(run.trials).to.equal(5);
    expect(run.total_errors).to.equal(0);
    expect([...counts]).to.deep.equal([
      [`${file}::ticket[refund]`, 3],
      [`${file}::ticket[money-back]`, 4],
      [`${file}::ticket[cancel]`, 5],
      [`${file}::ticket[tracking]`, 4],
      [`${file}::ticket[tracking-date]`, 5],
      [`${file}::ticket[upsell]`, 0],
      [`${file}::cancelsFirst[order-4001]`, 5],
      [`${file}::cancelsFirst[order-4002]`, 5],
      [`${file}::cancelsFirst[order-4003]`, 5],
    ]);
  });
});
