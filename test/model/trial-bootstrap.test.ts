import { expect } from 'chai';
import { passAllK, passAtK } from '../../src/model/pass-at-k.js';
import { seededRandom } from '../../src/model/random.js';
import { estimateByK, type TrialOutcome } from '../../src/model/trial-bootstrap.js';
import type { Estimate } from '../../src/statistics/bounds.js';

function outcome(n: number, c: number, evaluations = 1): TrialOutcome {
  return { n, c, evaluations };
}

type Estimator = typeof passAtK;

/** The bootstrap as a textbook has it: evaluations drawn one by one, each k on its own. */
function naiveBounds(outcomes: readonly TrialOutcome[], k: number, estimator: Estimator) {
  const random = seededRandom(4711);
  const each = outcomes.flatMap(({ n, c, evaluations }) =>
    Array.from({ length: evaluations }, () => (k <= n ? estimator(n, c, k) : undefined)),
  );
  const means: number[] = [];
  for (let resample = 0; resample < 8000; resample += 1) {
    let [sum, of] = [0, 0];
    for (let i = 0; i < each.length; i += 1) {
      const value = each[Math.floor(random() * each.length)];
      if (value === undefined) continue;
      sum += value;
      of += 1;
    }
    if (of > 0) means.push(sum / of);
  }
  means.sort((a, b) => a - b);
  const at = (share: number) => means[Math.round(share * (means.length - 1))] ?? Number.NaN;
  return { low: at(0.025), high: at(0.975) };
}

function expectAgreement({ low, high }: Estimate, naive: { low: number; high: number }): void {
  // A bound of 2,000 resamples has a standard error of 0.06 deviations, the interval is 3.92 of them wide.
  const tolerance = ((naive.high - naive.low) / 3.92) * 0.06 * 4;
  expect(low).to.be.closeTo(naive.low, tolerance);
  expect(high).to.be.closeTo(naive.high, tolerance);
}

describe('estimateByK', () => {
  it('averages pass@k and pass^k over evaluations', () => {
    const byK = estimateByK([outcome(5, 2), outcome(5, 5), outcome(5, 0, 2)]);
    expect(byK.map(({ k }) => k)).to.deep.equal([1, 2, 3, 4, 5]);
    for (const { k, pass_at, pass_all } of byK) {
      expect(pass_at.estimate).to.be.closeTo((passAtK(5, 2, k) + 1) / 4, 1e-15);
      expect(pass_all.estimate).to.be.closeTo((passAllK(5, 2, k) + 1) / 4, 1e-15);
    }
  });

  it('averages for each k over the evaluations with at least k trials', () => {
    const byK = estimateByK([outcome(3, 1), outcome(1, 1), outcome(2, 0)]);
    const means = byK.map(({ pass_at }) => pass_at.estimate);
    expect(means[0]).to.be.closeTo((1 / 3 + 1 + 0) / 3, 1e-15);
    expect(means[1]).to.be.closeTo((2 / 3 + 0) / 2, 1e-15);
    expect(means[2]).to.equal(1);
  });

  it('has the bounds of drawing evaluations one by one', () => {
    const outcomes = Array.from({ length: 11 }, (_, c) => outcome(10, c, 2 + ((c * 7) % 5)));
    for (const { k, pass_at, pass_all } of estimateByK(outcomes)) {
      // Beyond, pass@k hardly varies and pass^k moves in steps: both are compared below by other means.
      if (k > 5) break;
      expectAgreement(pass_at, naiveBounds(outcomes, k, passAtK));
      expectAgreement(pass_all, naiveBounds(outcomes, k, passAllK));
    }
  });

  it('has the bounds of drawing evaluations one by one when their trials differ in number', () => {
    const outcomes = [
      outcome(2, 1, 30),
      outcome(4, 1, 20),
      outcome(4, 3, 25),
      outcome(6, 2, 15),
      outcome(6, 5, 12),
    ];
    for (const { k, pass_at, pass_all } of estimateByK(outcomes)) {
      if (k > 4) break;
      expectAgreement(pass_at, naiveBounds(outcomes, k, passAtK));
      if (k < 4) expectAgreement(pass_all, naiveBounds(outcomes, k, passAllK));
    }
  });

  it('has binomial quantiles as bounds where each evaluation is 0 or 1', () => {
    // 2.5 % and 97.5 % of Binomial(100, 0.3) lie at 21 and 39, of Binomial(100000, 0.3) at 29716 and 30284.
    const [small] = estimateByK([outcome(1, 0, 70), outcome(1, 1, 30)]);
    expect(small?.pass_at.low).to.be.within(0.2, 0.22);
    expect(small?.pass_at.high).to.be.within(0.38, 0.4);
    const [large] = estimateByK([outcome(1, 0, 70_000), outcome(1, 1, 30_000)]);
    expect(large?.pass_at.low).to.be.closeTo(0.29716, 0.00035);
    expect(large?.pass_at.high).to.be.closeTo(0.30284, 0.00035);
  });

  it('gives the same answer every time, in whatever order the outcomes come', () => {
    const outcomes = [outcome(5, 2, 3), outcome(5, 4, 3), outcome(4, 4, 3), outcome(5, 0, 8)];
    const first = estimateByK(outcomes);
    expect(estimateByK(outcomes)).to.deep.equal(first);
    expect(estimateByK([...outcomes].reverse())).to.deep.equal(first);
  });

  it('leaves its input as it was', () => {
    const outcomes = Object.freeze([outcome(2, 0, 1), outcome(2, 1, 5)]);
    estimateByK(outcomes);
    expect(outcomes.map(({ c }) => c)).to.deep.equal([0, 1]);
  });

  it('has no bounds below two evaluations, for each k on its own', () => {
    expect(estimateByK([outcome(2, 1), outcome(1, 1)])).to.deep.include({
      k: 2,
      pass_at: { estimate: 1, low: null, high: null },
      pass_all: { estimate: 0, low: null, high: null },
    });
    const [first] = estimateByK([outcome(2, 1), outcome(1, 1)]);
    expect(first?.pass_at).to.deep.equal({ estimate: 0.75, low: 0.5, high: 1 });
  });

  it('has bounds without width when all evaluations are alike', () => {
    const [, second] = estimateByK([outcome(4, 2, 50)]);
    expect(second?.pass_at.low).to.equal(second?.pass_at.estimate);
    expect(second?.pass_at.high).to.equal(second?.pass_at.estimate);
  });

  it('leaves out the resamples in which no evaluation reaches k', () => {
    const second = estimateByK([outcome(1, 1, 50), outcome(2, 2, 2)])[1];
    expect(second?.pass_all).to.deep.equal({ estimate: 1, low: 1, high: 1 });
  });

  it('is empty when nothing has finished', () => {
    expect(estimateByK([])).to.deep.equal([]);
    expect(estimateByK([outcome(0, 0, 10)])).to.deep.equal([]);
  });
});
