import { expect } from 'chai';
import { groupSorted } from '../../../src/compare/significance/sign-flip.js';

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
