import { expect } from 'chai';
import fc from 'fast-check';
import { meanInterval } from '../../src/statistics/mean-interval.js';
import { studentQuantile } from '../../src/statistics/student-quantile.js';

const squares = Array.from({ length: 20 }, (_, i) => (i + 1) ** 2);
const lists = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), {
  minLength: 20,
  maxLength: 60,
});

const spread = (i: number) => [4, 7, 13, 16][i % 4] ?? 0;

function boundsOf(values: readonly number[]): { low: number; high: number } {
  const { low, high } = meanInterval(values);
  if (low === null || high === null) throw new Error('there are no bounds');
  return { low, high };
}

describe('meanInterval', () => {
  it("is Student's interval for symmetric values", () => {
    const values = Array.from({ length: 21 }, (_, i) => i - 10);
    const { low, high } = boundsOf(values);
    // s² = 770 / 20
    const half = studentQuantile(0.975, 20) * Math.sqrt(38.5 / 21);
    expect(low).to.be.closeTo(-half, 1e-12);
    expect(high).to.be.closeTo(half, 1e-12);
  });

  it("removes skewness as Hall's transformation does", () => {
    const { low, high } = boundsOf(squares);
    const transformed = (mean: number) => {
      const mu2 = squares.reduce((sum, one) => sum + (one - 143.5) ** 2, 0) / 20;
      const mu3 = squares.reduce((sum, one) => sum + (one - 143.5) ** 3, 0) / 20;
      const skewness = mu3 / mu2 ** 1.5;
      const w = (143.5 - mean) / Math.sqrt((mu2 * 20) / 19);
      const cubic = w + (skewness * w ** 2) / 3 + (skewness ** 2 * w ** 3) / 27;
      return Math.sqrt(20) * (cubic + skewness / 120);
    };
    const t = studentQuantile(0.975, 19);
    expect(transformed(low)).to.be.closeTo(t, 1e-10);
    expect(transformed(high)).to.be.closeTo(-t, 1e-10);
  });

  it('reaches further to the side of the long tail', () => {
    const { low, high } = boundsOf(squares);
    expect(high - 143.5).to.be.above(143.5 - low);
  });

  it('has no bounds below 20 values, and none when all are alike', () => {
    const none = { low: null, high: null };
    expect(meanInterval(squares.slice(1))).to.deep.equal(none);
    expect(meanInterval([])).to.deep.equal(none);
    for (const value of [0, 0.5, 1 / 3, -1e300, 5e-324]) {
      expect(meanInterval(Array<number>(30).fill(value)), `${value}`).to.deep.equal(none);
    }
    const rounded = Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? 0.3 : 0.1 + 0.2));
    expect(meanInterval(rounded)).to.deep.equal(none);
  });

  it('holds the mean and has a width, whatever the values', () => {
    fc.assert(
      fc.property(lists, (values) => {
        const { low, high } = meanInterval(values);
        if (low === null || high === null) return;
        const mean = values.reduce((sum, one) => sum + one, 0) / values.length;
        expect(low).to.be.below(mean);
        expect(high).to.be.above(mean);
      }),
    );
  });

  it('moves with the values and is mirrored with them', () => {
    fc.assert(
      fc.property(lists, fc.constantFrom(-2, -1, 0.5, 1024), (values, factor) => {
        const { low, high } = meanInterval(values);
        const scaled = meanInterval(values.map((value) => value * factor));
        const expected = factor < 0 ? [high, low] : [low, high];
        [scaled.low, scaled.high].forEach((bound, i) => {
          const other = expected[i] ?? null;
          if (bound === null || other === null) expect(bound).to.equal(other);
          else expect(bound).to.be.closeTo(other * factor, Math.abs(other * factor) * 1e-9 + 1e-9);
        });
      }),
    );
  });

  it('stays exact when values are large and close together, and finite when they are huge', () => {
    const close = boundsOf(Array.from({ length: 20 }, (_, i) => 1e9 + spread(i)));
    const near = boundsOf(Array.from({ length: 20 }, (_, i) => spread(i)));
    expect(close.low - 1e9).to.be.closeTo(near.low, 1e-6);
    expect(close.high - 1e9).to.be.closeTo(near.high, 1e-6);
    const huge = boundsOf(squares.map((one) => one * 2 ** 1000));
    expect(huge.high / 2 ** 1000).to.be.closeTo(boundsOf(squares).high, 1e-9);
  });
});
