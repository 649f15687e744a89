import { expect } from 'chai';
import { FiniteMean } from '../../src/statistics/finite-mean.js';

function meanOf(...values: number[]): number {
  const mean = new FiniteMean();
  for (const value of values) mean.add(value);
  return mean.value;
}

describe('FiniteMean', () => {
  it('is the mean, and 0 of nothing', () => {
    expect(meanOf()).to.equal(0);
    expect(meanOf(0.1, 0.2)).to.equal((0.1 + 0.2) / 2);
    expect(meanOf(5e-324)).to.equal(5e-324);
  });

  it('is a number where the sum is none', () => {
    expect(meanOf(1.7e308, 1.7e308)).to.equal(1.7e308);
    expect(meanOf(-1.7e308, -1.7e308, 1.7e308)).to.be.closeTo(-1.7e308 / 3, 1e293);
    expect(meanOf(Number.MAX_VALUE, Number.MAX_VALUE, Number.MAX_VALUE)).to.equal(Number.MAX_VALUE);
  });
});
