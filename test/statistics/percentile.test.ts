import { expect } from 'chai';
import { percentile } from '../../src/statistics/percentile.js';

describe('percentile', () => {
  it('interpolates between neighbours as type 7 does', () => {
    expect(percentile([1, 2, 3, 4], 0.5)).to.equal(2.5);
    expect(percentile([1, 2, 3, 4], 0.25)).to.equal(1.75);
    expect(percentile([10], 0.95)).to.equal(10);
    expect(percentile([1, 2, 3], 0)).to.equal(1);
    expect(percentile([1, 2, 3], 1)).to.equal(3);
  });

  it('is null without values', () => {
    expect(percentile([], 0.5)).to.equal(null);
  });

  it('lies between values that are further apart than any number', () => {
    const far = [-1.7e308, 1.7e308];
    expect(percentile(far, 0.5)).to.equal(0);
    expect(percentile(far, 0.95)).to.be.closeTo(1.53e308, 1e295);
  });
});
