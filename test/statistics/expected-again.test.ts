import { expect } from 'chai';
import { ratesExpectedAgain } from '../../src/statistics/expected-again.js';

/** Rates of units: so many passes, then so many failures, beginning at a unit, so that variants overlap differently. */
function passes(count: number, of: number, from = 0): number[] {
  return Array.from({ length: of }, (_, unit) => ((unit - from + of) % of < count ? 1 : 0));
}

describe('ratesExpectedAgain', () => {
  it('pulls variants that differ by chance alone to their mean', () => {
    const rates = [passes(10, 20), passes(11, 20, 5), passes(9, 20, 11), passes(10, 20, 15)];
    for (const rate of ratesExpectedAgain(rates) ?? []) expect(rate).to.be.closeTo(0.5, 0.03);
  });

  it('leaves variants almost alone that differ beyond chance', () => {
    const rates = [passes(100, 1000), passes(900, 1000), passes(500, 1000), passes(200, 1000)];
    const expected = ratesExpectedAgain(rates) ?? [];
    for (const [variant, rate] of [0.1, 0.9, 0.5, 0.2].entries()) {
      expect(expected[variant]).to.be.closeTo(rate, 0.002);
    }
  });

  // From the formula, by elimination in the differences from the last variant instead of orthonormal contrasts.
  it('is the positive-part estimator in the dimensions in which variants can differ', () => {
    const rates = [
      [1, 1, 0, 1, 0.5, 0, 1, 1],
      [1, 0, 0, 1, 0, 0.5, 0, 1],
      [1, 1, 1, 1, 1, 0, 1, 1],
      [0, 1, 0, 1, 0.5, 0, 0, 1],
      [1, 1, 0.5, 1, 1, 0, 1, 0],
    ];
    const expected = ratesExpectedAgain(rates) ?? [];
    expect(expected).to.have.length(5);
    const reference = [0.6460017611285287, 0.5357896882327817, 0.7426172664029357];
    for (const [variant, rate] of [...reference, reference[1], reference[0]].entries()) {
      expect(expected[variant]).to.be.closeTo(rate as number, 1e-9);
    }
  });

  it('takes variants with the same results for one dimension fewer', () => {
    const rates = [
      passes(14, 40),
      passes(14, 40),
      passes(30, 40, 3),
      passes(21, 40, 9),
      passes(25, 40, 30),
    ];
    const [first, second, best = 0] = ratesExpectedAgain(rates) ?? [];
    expect(first).to.equal(second);
    expect(best).to.be.within(0.6, 0.75);
  });

  it('stays within 0 and 1 where all pass, and says nothing of few variants or of one unit', () => {
    const all = Array.from({ length: 5 }, () => passes(10, 10));
    for (const rate of ratesExpectedAgain(all) ?? []) expect(rate).to.be.closeTo(10.5 / 11, 1e-9);
    expect(ratesExpectedAgain(all.slice(0, 3))).to.equal(undefined);
    expect(ratesExpectedAgain(all.map(() => [1]))).to.equal(undefined);
  });
});
