import { expect } from 'chai';
import fc from 'fast-check';
import {
  groupSorted,
  meanOf,
  mostCommonFirst,
  sumOf,
} from '../../../src/model/compare/number-lists.js';

describe('groupSorted', () => {
  it('groups equal values and counts them', () => {
    const { values, counts } = groupSorted(Float64Array.of(-1, -1, 0, 2, 2, 2), 0);
    expect([...values]).to.deep.equal([-1, 0, 2]);
    expect([...counts]).to.deep.equal([2, 1, 3]);
  });

  it('takes values for equal that differ by rounding only', () => {
    const sorted = Float64Array.of(1 / 3 - 0, 2 / 3 - 1 / 3, 0.8 - 0.4, 0.6 - 0.2).sort();
    expect([...groupSorted(sorted, 1e-12).counts]).to.deep.equal([2, 2]);
  });

  it('is empty for nothing', () => {
    expect(groupSorted(new Float64Array(0), 0).values.length).to.equal(0);
  });
});

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

describe('mostCommonFirst', () => {
  it('sorts groups by how many values they have', () => {
    const { values, counts } = mostCommonFirst(groupSorted(Float64Array.of(1, 2, 2, 2, 5, 5), 0));
    expect([...values]).to.deep.equal([2, 5, 1]);
    expect([...counts]).to.deep.equal([3, 2, 1]);
  });
});
