import { expect } from 'chai';
import type { StoredCall } from '../../../src/model/calls/stored-calls.js';
import { CallLimiter } from '../../../src/runner/calls/call-limiter.js';
import { CallPricer } from '../../../src/runner/calls/call-pricer.js';

/** A call with an answer; $0.001 at the prices below. */
const call = (number: number) =>
  ({
    number,
    role: 'target',
    method: 'POST',
    url: 'https://models.test/v1',
    start: 0,
    end: 1,
    status: 200,
    model_call: { operation: 'chat', model: 'small', usage: { input: 1000, output: 0 } },
  }) as never as StoredCall;

describe('what attempts without a result have spent', () => {
  it('is what their calls used that ended before they were lost, or still run', async () => {
    const limiter = new CallLimiter({
      limitsOf: () => undefined,
      maxCost: 1,
      spentBefore: 0,
      needsPrices: true,
      pricer: new CallPricer({ small: { input: 1, output: 1 } }),
    });
    await limiter.prepare();
    const made = (task: number, ...numbers: readonly number[]) =>
      limiter.called(task, 'a', { calls: numbers.map(call), texts: [] });
    made(0, 1, 2);
    limiter.finished(0, 'a', { calls: [call(1), call(2)], texts: [] });
    limiter.forget(0);
    expect(limiter.unlisted).to.equal(undefined);
    made(1, 1);
    limiter.lose(1);
    made(1, 1);
    made(2, 1, 2);
    expect(limiter.unlisted).to.include({ calls: 4, input: 4000, cost: 0.004 });
    limiter.forget(1);
    expect(limiter.unlisted).to.include({ calls: 3, cost: 0.003 });
  });
});
