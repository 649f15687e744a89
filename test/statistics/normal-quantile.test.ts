import { expect } from 'chai';
import { normalQuantile } from '../../src/statistics/normal-quantile.js';

describe('normalQuantile', () => {
  it('gives the check values published with AS 241', () => {
    expect(normalQuantile(0.25)).to.be.closeTo(-0.6744897501960817, 1e-15);
    expect(normalQuantile(0.001)).to.be.closeTo(-3.090232306167814, 1e-14);
    expect(normalQuantile(1e-20)).to.be.closeTo(-9.262340089798409, 1e-13);
  });

  it('gives the values of common confidence levels', () => {
    expect(normalQuantile(0.95)).to.be.closeTo(1.6448536269514722, 1e-14);
    expect(normalQuantile(0.975)).to.be.closeTo(1.959963984540054, 1e-14);
    expect(normalQuantile(0.995)).to.be.closeTo(2.5758293035489004, 1e-14);
  });

  it('is 0 in the middle and joins up where the formula changes', () => {
    expect(normalQuantile(0.5)).to.equal(0);
    expect(normalQuantile(0.925)).to.be.closeTo(normalQuantile(0.925 + 1e-15), 1e-13);
  });

  it('rejects what is no probability, and the two without a finite value', () => {
    for (const probability of [-0.1, 0, 1, 1.1, Number.NaN]) {
      expect(() => normalQuantile(probability)).to.throw(RangeError, String(probability));
    }
  });
});
