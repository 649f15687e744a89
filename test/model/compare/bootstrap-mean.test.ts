import { expect } from 'chai';
import fc from 'fast-check';
import { bootstrapMean } from '../../../src/model/compare/bootstrap-mean.js';
import { seededRandom } from '../../../src/model/random.js';
import { finish } from '../../../src/model/steps.js';

function bounds(values: readonly number[]): { low: number; high: number } {
  const { low, high } = finish(bootstrapMean(Float64Array.from(values).sort()));
  if (low === null || high === null) throw new Error('No bounds');
  return { low, high };
}

/** Every resample there is, each as likely as the next: quantiles of n^n means. */
function allResamples(values: readonly number[]): { low: number; high: number } {
  let sums = [0];
  for (let i = 0; i < values.length; i += 1) {
    sums = sums.flatMap((sum) => values.map((value) => sum + value));
  }
  sums.sort((a, b) => a - b);
  const at = (share: number) => (sums[Math.round(share * (sums.length - 1))] ?? 0) / values.length;
  return { low: at(0.025), high: at(0.975) };
}

/** Bounds of mean ± 1.96 standard errors, and how far 2,000 resamples may be from them. */
function normalBounds(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const error = Math.sqrt(squares) / values.length;
  return { low: mean - 1.96 * error, high: mean + 1.96 * error, tolerance: 0.25 * error };
}

describe('bootstrapMean', () => {
  it('has the bounds of all resamples there are', () => {
    const values = [0.1, 0.35, 0.4, 0.55, 0.85, 1.3];
    const exact = allResamples(values);
    const { low, high } = bounds(values);
    // A bound of 2,000 resamples has a standard error of 0.06 deviations.
    const tolerance = ((exact.high - exact.low) / 3.92) * 0.06 * 4;
    expect(low).to.be.closeTo(exact.low, tolerance);
    expect(high).to.be.closeTo(exact.high, tolerance);
  });

  it('has binomial quantiles as bounds where each value is 0 or 1', () => {
    // 2.5 % and 97.5 % of Binomial(100, 0.3) lie at 21 and 39.
    const { low, high } = bounds(Array.from({ length: 100 }, (_, i) => (i < 30 ? 1 : 0)));
    expect(low).to.be.within(0.2, 0.22);
    expect(high).to.be.within(0.38, 0.4);
  });

  it('has the bounds of the normal distribution for many values, however they are drawn', () => {
    const random = seededRandom(8);
    for (const draw of [
      () => Math.floor(random() * 5) / 5,
      () => random(),
      // Heavy tails.
      () => Math.exp(random() * 8 - random() * 4),
    ]) {
      for (const count of [3000, 30_000]) {
        const values = Array.from({ length: count }, draw);
        const expected = normalBounds(values);
        const { low, high } = bounds(values);
        expect(low).to.be.closeTo(expected.low, expected.tolerance);
        expect(high).to.be.closeTo(expected.high, expected.tolerance);
      }
    }
  });

  it('is mirrored for the negated values', () => {
    const values = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 2 });
    fc.assert(
      fc.property(values, (list) => {
        const { low, high } = bounds(list);
        const mirrored = bounds(list.map((value) => -value));
        expect(mirrored).to.deep.equal({ low: 0 - high, high: 0 - low });
      }),
      { numRuns: 40 },
    );
  });

  it('has bounds for numbers of any size, also where their squares cannot be held', () => {
    const random = seededRandom(9);
    const values = Array.from({ length: 3000 }, () => random() - 0.3);
    const { low, high } = bounds(values);
    for (const scale of [2 ** 900, 2 ** -900]) {
      const scaled = bounds(values.map((value) => value * scale));
      expect(scaled).to.deep.equal({ low: low * scale, high: high * scale });
    }
  });

  it('is even about 0 where the values are', () => {
    const { low, high } = bounds([-3, -1, 0, 0, 1, 3]);
    expect(high).to.be.above(0.5);
    expect(low).to.equal(-high);
  });

  it('has no bounds below two values and no width when all are alike', () => {
    expect(finish(bootstrapMean(new Float64Array(0)))).to.deep.equal({ low: null, high: null });
    expect(finish(bootstrapMean(Float64Array.of(4)))).to.deep.equal({ low: null, high: null });
    expect(bounds([0, 0, 0])).to.deep.equal({ low: 0, high: 0 });
    expect(bounds(Array<number>(500).fill(2))).to.deep.equal({ low: 2, high: 2 });
  });
});
