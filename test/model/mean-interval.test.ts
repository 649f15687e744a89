import { expect } from 'chai';
import { MeanCounter } from '../../src/model/mean-interval.js';
import { studentQuantile } from '../../src/model/student-quantile.js';

describe('studentQuantile', () => {
  it('agrees with the table of the NIST/SEMATECH e-Handbook, section 1.3.6.7.2', () => {
    const table: readonly (readonly [freedom: number, at95: number, at975: number])[] = [
      [1, 6.314, 12.706],
      [2, 2.92, 4.303],
      [3, 2.353, 3.182],
      [4, 2.132, 2.776],
      [5, 2.015, 2.571],
      [10, 1.812, 2.228],
      [30, 1.697, 2.042],
      [100, 1.66, 1.984],
    ];
    for (const [freedom, at95, at975] of table) {
      expect(studentQuantile(0.95, freedom), `${freedom}`).to.be.closeTo(at95, 0.00051);
      expect(studentQuantile(0.975, freedom), `${freedom}`).to.be.closeTo(at975, 0.00051);
    }
  });

  it('comes to the normal quantile', () => {
    expect(studentQuantile(0.975, 1e7)).to.be.closeTo(1.959964, 1e-5);
  });

  it('refuses what has no quantile', () => {
    expect(() => studentQuantile(0.975, 0)).to.throw(RangeError);
    expect(() => studentQuantile(0.975, 1.5)).to.throw(RangeError);
    expect(() => studentQuantile(1, 5)).to.throw(RangeError);
  });
});

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
