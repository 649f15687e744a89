import { expect } from 'chai';
import { MeanCounter } from '../../src/model/mean-interval.js';
import { studentQuantile } from '../../src/statistics/student-quantile.js';

describe('MeanCounter', () => {
  it("gives Student's interval of the mean", () => {
    const counter = new MeanCounter();
    for (const value of [1, 2, 3, 4, 5]) counter.add(value);
    expect(counter.mean).to.equal(3);
    // s = √2.5, t(0.975, 4) = 2.776445
    const { low, high } = counter.interval();
    expect(low).to.be.closeTo(3 - 2.776445 * Math.sqrt(0.5), 1e-4);
    expect(high).to.be.closeTo(3 + 2.776445 * Math.sqrt(0.5), 1e-4);
  });

  it('is a point when all values are equal, and nothing below two', () => {
    const counter = new MeanCounter();
    counter.add(0.5);
    expect(counter.interval()).to.deep.equal({ low: null, high: null });
    counter.add(0.5);
    expect(counter.interval()).to.deep.equal({ low: 0.5, high: 0.5 });
  });

  it('stays exact when values are large and close together', () => {
    const counter = new MeanCounter();
    for (const value of [1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16]) counter.add(value);
    const { low, high } = counter.interval();
    // s² = 30
    const half = studentQuantile(0.975, 3) * Math.sqrt(30 / 4);
    expect((high ?? 0) - (low ?? 0)).to.be.closeTo(2 * half, 1e-5);
  });
});
