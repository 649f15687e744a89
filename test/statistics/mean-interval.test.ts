import { expect } from 'chai';
import fc from 'fast-check';
import { clusteredMean } from '../../src/statistics/clustered-mean.js';
import {
  differenceInterval,
  meanInterval,
  studentQuantile,
} from '../../src/statistics/mean-interval.js';
import { unbounded } from '../../src/statistics/value-scale.js';

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

  it('has no bounds where one value at the far end of the scale would move the mean by a standard error', () => {
    const grades = { low: 0, high: 1 };
    const alike = Array.from({ length: 50 }, (_, i) => 0.8 + (i % 11) / 100);
    expect(meanInterval(alike).low).to.be.a('number');
    expect(meanInterval(alike, grades)).to.deep.equal({ low: null, high: null });
    const withOutlier = [...alike.slice(1), 0];
    expect(meanInterval(withOutlier, grades)).to.deep.equal(meanInterval(withOutlier));
    const spreadOut = Array.from({ length: 49 }, (_, i) => (i % 2) / 2);
    const mean = spreadOut.reduce((sum, one) => sum + one, 0) / 49;
    const deviation = Math.sqrt(spreadOut.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 48);
    const high = mean + 7 * deviation;
    expect(meanInterval(spreadOut, { low: -1, high: high - 1e-9 }).low).to.be.a('number');
    expect(meanInterval(spreadOut, { low: -1, high: high + 1e-9 }).low).to.equal(null);
    expect(meanInterval(spreadOut, { low: 2 * mean - high - 1e-9, high: 1 }).low).to.equal(null);
  });

  it('has no bounds for values of an unbounded scale', () => {
    expect(meanInterval(squares, unbounded)).to.deep.equal({ low: null, high: null });
    expect(clusteredMean(squares, Array(20).fill(1), unbounded)).to.deep.equal({
      estimate: 143.5,
      low: null,
      high: null,
    });
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

describe('differenceInterval', () => {
  it("is Student's, whatever the skewness", () => {
    const { low, high } = differenceInterval(squares, { low: -400, high: 400 });
    const variance = squares.reduce((sum, one) => sum + (one - 143.5) ** 2, 0) / 19;
    const half = studentQuantile(0.975, 19) * Math.sqrt(variance / 20);
    expect(low).to.be.closeTo(143.5 - half, 1e-10);
    expect(high).to.be.closeTo(143.5 + half, 1e-10);
  });

  it('has no bounds where the interval of a mean has none', () => {
    const none = { low: null, high: null };
    const grades = { low: -1, high: 1 };
    expect(differenceInterval(squares.slice(1), grades)).to.deep.equal(none);
    expect(differenceInterval(Array<number>(30).fill(0.5), grades)).to.deep.equal(none);
    expect(differenceInterval(squares, unbounded)).to.deep.equal(none);
    const few = Array.from({ length: 50 }, (_, i) => (i < 3 ? 0.3 : 0));
    expect(differenceInterval(few, grades)).to.deep.equal(none);
    const more = Array.from({ length: 50 }, (_, i) => (i < 20 ? 0.5 : 0));
    expect(differenceInterval(more, grades).low).to.be.above(0);
  });
});

describe('an interval over trials', () => {
  const grades = { low: 0, high: 1 };
  const between = Array.from({ length: 40 }, (_, i) => 0.75 + (i % 11) / 50);

  it('is not hidden by a spread that only trials around the mean of their case have', () => {
    expect(meanInterval(between, grades)).to.deep.equal({ low: null, high: null });
    expect(meanInterval(between, grades, 0.02)).to.deep.equal(meanInterval(between));
    // Trials that are alike are no more than single ones.
    expect(meanInterval(between, grades, 0)).to.deep.equal({ low: null, high: null });
    expect(differenceInterval(between, { low: -1, high: 1 })).to.deep.equal({
      low: null,
      high: null,
    });
    expect(differenceInterval(between, { low: -1, high: 1 }, 0.04).low).to.be.a('number');
  });

  it('of a mean of results takes their spread from the sum of their squares', () => {
    const trials = between.map((mean) => [mean - 0.2, mean, mean + 0.2]);
    const sums = between.map((mean) => 3 * mean);
    const squares = trials.flat().reduce((sum, value) => sum + value ** 2, 0);
    const counts = Array<number>(40).fill(3);
    expect(clusteredMean(sums, counts, grades)?.low).to.equal(null);
    const found = clusteredMean(sums, counts, grades, squares);
    expect(found?.low).to.be.closeTo(meanInterval(between).low ?? 0, 1e-12);
  });
});
