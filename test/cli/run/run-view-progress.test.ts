import { expect } from 'chai';
import { RunProgress } from '../../../src/cli/run/run-view-progress.js';
import { usageOf } from '../../../src/model/calls/usage.js';
import type { FinishedResult } from '../../../src/runner/events.js';

const one: FinishedResult = {
  index: 0,
  id: 'a.eval.ts::a',
  outcome: {
    status: 'completed',
    output: null,
    scores: [],
    error: null,
    latency: 0,
    trace_data: {},
    regradable: false,
  },
};

function started(total: number) {
  const clock = { milliseconds: 0 };
  const progress = new RunProgress(() => clock.milliseconds);
  progress.total = total;
  const pass = (seconds: number, count: number) => {
    clock.milliseconds += seconds * 1000;
    progress.count(Array.from({ length: count }, () => one));
    return progress.remaining();
  };
  return { progress, pass };
}

describe('RunProgress', () => {
  it('knows nothing of the rest before anything is done', () => {
    const { pass } = started(100);
    expect(pass(0, 0)).to.equal(undefined);
    expect(pass(60, 0)).to.equal(undefined);
  });

  it('estimates the rest from a steady rate', () => {
    const { pass } = started(100);
    let left: number | undefined;
    for (let second = 0; second < 20; second += 1) left = pass(1, 1);
    expect(left).to.be.closeTo(80, 0.001);
  });

  it('follows a rate that changes, without jumping', () => {
    const { pass } = started(1000);
    for (let second = 0; second < 10; second += 1) pass(1, 10);
    const after = pass(1, 0);
    expect(after).to.be.within(90, 130);
    let left: number | undefined;
    for (let second = 0; second < 60; second += 1) left = pass(1, 1);
    expect(left).to.be.within(420, 840);
  });

  it('leaves a pause out of the rate', () => {
    const { progress, pass } = started(100);
    for (let second = 0; second < 10; second += 1) pass(1, 1);
    progress.change('paused');
    expect(pass(1000, 0)).to.equal(undefined);
    progress.change('running');
    expect(pass(1, 1)).to.be.closeTo(89, 0.001);
  });

  it('counts no passes while nothing is judged', () => {
    const { progress, pass } = started(2);
    pass(1, 1);
    expect(progress.parts().map((part) => part.text)).to.deep.equal([
      '1 of 2',
      '0 errors',
      '1.0 s, 1.0 s left',
    ]);
  });

  it('counts as spent neither replayed calls nor those of the target of a regraded result', () => {
    const { progress } = started(3);
    const call = (role: 'target' | 'evaluator:tone', more = {}) => ({
      ...{ role, cost: 0.5, status: 200, model_call: {} },
      ...more,
    });
    const graded = usageOf([call('target'), call('evaluator:tone')]);
    progress.regraded = new Set([1]);
    progress.count([
      { ...one, usage: usageOf([call('target', { replayed: true })]) },
      { ...one, index: 1, usage: graded },
      { ...one, index: 2, usage: graded },
    ]);
    const texts = progress.parts().map((part) => part.text);
    expect(texts).to.include('3 calls $1.50 (1 replayed: 1 call, $0.50)');
  });

  it('says what the run has spent of its budget, and how long calls have waited', () => {
    const clock = { milliseconds: 0 };
    let spent = 0;
    const progress = new RunProgress(
      () => clock.milliseconds,
      () => ({
        budget: { maxCost: 5, spent, refused: [], unpriced: spent > 1 ? 1 : 0 },
        waited: spent > 0 ? [['small', 6.04] as const, ['large', 2] as const] : [],
      }),
    );
    progress.total = 10;
    const texts = () => progress.parts().map(({ text }) => text);
    expect(texts()).to.deep.equal(['0 of 10', '0 errors', '$0.00 of $5', '0.0 s']);
    spent = 0.94;
    const usage = { calls: 3, cost: 0.9, by_role: {} };
    progress.count([{ ...one, usage }]);
    clock.milliseconds = 8000;
    expect(texts().slice(-2)).to.deep.equal([
      '3 calls $0.94 of $5',
      '8.0 s (waited 6.0 s), 1 min 12 s left',
    ]);
    spent = 1.84;
    expect(texts().at(-2)).to.equal('3 calls ≥ $1.84 of $5');
  });
});
