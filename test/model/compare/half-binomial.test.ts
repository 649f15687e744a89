import { expect } from 'chai';
import fc from 'fast-check';
import { fairCoinPValue } from '../../../src/model/compare/half-binomial.js';

/** Every one of 2^n tosses, counted. */
function bruteForce(n: number, k: number): number {
  const far = Math.abs(2 * k - n);
  let hits = 0;
  for (let tosses = 0; tosses < 2 ** n; tosses += 1) {
    let heads = 0;
    for (let bit = 0; bit < n; bit += 1) heads += (tosses >>> bit) & 1;
    if (Math.abs(2 * heads - n) >= far) hits += 1;
  }
  return hits / 2 ** n;
}

describe('fairCoinPValue', () => {
  it('is the share of all tosses that are as uneven', () => {
    for (let n = 0; n <= 12; n += 1) {
      for (let k = 0; k <= n; k += 1) {
        expect(fairCoinPValue(n, k)).to.be.closeTo(bruteForce(n, k), 1e-14);
      }
    }
  });

  it('gives the published exact p-values of the McNemar test', () => {
    // Fagerland, Lydersen and Laake 2013, BMC Medical Research Methodology 13:91: 1 and 7 discordant pairs.
    expect(fairCoinPValue(8, 1)).to.be.closeTo(0.0703, 5e-5);
    // Agresti 2002, Categorical Data Analysis, table 10.1: 150 and 86; digits by scipy.stats.binomtest.
    expect(fairCoinPValue(236, 86)).to.be.closeTo(3.7159361395713866e-5, 1e-16);
  });

  it('agrees with scipy.stats.binomtest for 6 of 22, 59 of 180, 5 of 20', () => {
    expect(fairCoinPValue(22, 6)).to.be.closeTo(0.052478790283203125, 1e-15);
    expect(fairCoinPValue(180, 59)).to.be.closeTo(4.4344492637551645e-6, 1e-18);
    expect(fairCoinPValue(20, 5)).to.be.closeTo(0.04138946533203125, 1e-15);
  });

  it('is the same for k and n − k', () => {
    fc.assert(
      fc.property(fc.nat(5000), fc.double({ min: 0, max: 1, noNaN: true }), (n, share) => {
        const k = Math.round(share * n);
        expect(fairCoinPValue(n, k)).to.equal(fairCoinPValue(n, n - k));
      }),
    );
  });

  it('follows the normal distribution for many coins', () => {
    // 1.96 standard deviations of 158.1 with half a step of continuity: p = 0.05.
    expect(fairCoinPValue(100_000, 50_000 - 310)).to.be.closeTo(0.05, 0.0005);
  });

  it('goes to 0 without becoming anything else', () => {
    expect(fairCoinPValue(100_000, 0)).to.equal(0);
    expect(fairCoinPValue(1000, 0)).to.be.closeTo(2 ** -999, 2 ** -1030);
  });
});
