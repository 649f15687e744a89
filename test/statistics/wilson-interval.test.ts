import { expect } from 'chai';
import fc from 'fast-check';
import { wilsonInterval } from '../../src/statistics/wilson-interval.js';

function bounds(passed: number, total: number): [number, number] {
  const { low, high } = wilsonInterval(passed, total);
  if (low === null || high === null) throw new Error('No bounds');
  return [low, high];
}

describe('wilsonInterval', () => {
  // Newcombe 1998, Statistics in Medicine 17, 857–872, table I, method 3.
  for (const [passed, total, low, high] of [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ] as const) {
    it(`gives the published interval of ${passed} of ${total}`, () => {
      const rounded = bounds(passed, total).map((bound) => Number(bound.toFixed(4)));
      expect(rounded).to.deep.equal([low, high]);
    });
  }

  it('agrees with scipy.stats.binomtest(5, 10).proportion_ci(0.9, "wilson")', () => {
    const { estimate, low, high } = wilsonInterval(5, 10, 0.9);
    expect(estimate).to.equal(0.5);
    expect(low).to.be.closeTo(0.26927182113826725, 1e-14);
    expect(high).to.be.closeTo(0.7307281788617328, 1e-14);
  });

  it('has no bounds when there is nothing to count', () => {
    expect(wilsonInterval(0, 0)).to.deep.equal({ estimate: 0, low: null, high: null });
  });

  it('ends exactly at 0 and 1 when none or all passed', () => {
    for (const total of [1, 3, 7, 1000, 99_991]) {
      expect(bounds(0, total)[0]).to.equal(0);
      expect(bounds(total, total)[1]).to.equal(1);
    }
  });

  it('is the range of rates that a score test does not reject', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (total, share) => {
          const passed = Math.round(share * total);
          for (const bound of bounds(passed, total)) {
            const distance = Math.abs(passed / total - bound);
            const critical = 1.959963984540054 * Math.sqrt((bound * (1 - bound)) / total);
            expect(distance).to.be.closeTo(critical, 1e-9);
          }
        },
      ),
    );
  });

  it('mirrors when passes and failures change places, and holds the estimate', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(1000), (passed, failed) => {
        fc.pre(passed + failed > 0);
        const [low, high] = bounds(passed, passed + failed);
        const [mirroredLow, mirroredHigh] = bounds(failed, passed + failed);
        expect(low).to.be.closeTo(1 - mirroredHigh, 1e-12);
        expect(high).to.be.closeTo(1 - mirroredLow, 1e-12);
        expect(passed / (passed + failed)).to.be.within(low, high);
      }),
    );
  });

  it('rejects counts that cannot be', () => {
    for (const [passed, total] of [
      [2, 1],
      [-1, 1],
      [0.5, 1],
      [0, 1.5],
      [Number.NaN, 1],
    ] as const) {
      expect(() => wilsonInterval(passed, total)).to.throw(RangeError, `${passed} of ${total}`);
    }
  });

  it('rejects a confidence that is none', () => {
    for (const confidence of [0, 1, 95, -0.5, Number.NaN]) {
      expect(() => wilsonInterval(1, 2, confidence)).to.throw(RangeError, String(confidence));
    }
  });
});
