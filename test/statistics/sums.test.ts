import { expect } from 'chai';
import fc from 'fast-check';
import { meanOf, sumOf } from '../../src/statistics/sums.js';

describe('sumOf', () => {
  it('keeps what plain addition loses', () => {
    expect(sumOf([1, 1e100, 1, -1e100])).to.equal(2);
    expect(sumOf(Array<number>(10).fill(0.1))).to.equal(1);
  });

  it('is negated when all values are', () => {
    const lists = fc.array(fc.double({ min: -1e9, max: 1e9, noNaN: true }));
    fc.assert(fc.property(lists, (list) => sumOf(list.map((value) => -value)) + sumOf(list) === 0));
  });
});

describe('meanOf', () => {
  it('is the average, and not a number of nothing', () => {
    expect(meanOf([1, 2, 6])).to.equal(3);
    expect(meanOf([])).to.deep.equal(Number.NaN);
  });
});
