import { expect } from 'chai';
import fc from 'fast-check';
import { fairCoinTails } from '../../src/statistics/half-binomial.js';
import { twoSidedP } from '../../src/statistics/tails.js';

/** Every one of 2^n tosses, counted. */
function bruteForce(n: number, k: number): number {
  let hits = 0;
  for (let tosses = 0; tosses < 2 ** n; tosses += 1) {
    let heads = 0;
    for (let bit = 0; bit < n; bit += 1) heads += (tosses >>> bit) & 1;
    if (heads <= k) hits += 1;
  }
  return hits / 2 ** n;
}

function pOf(n: number, k: number): number {
  return twoSidedP(fairCoinTails(n, k));
}

describe('fairCoinTails', () => {
  it('gives the shares of all tosses with as few heads, and with as many', () => {
    for (let n = 0; n <= 12; n += 1) {
      for (let k = 0; k <= n; k += 1) {
        expect(fairCoinTails(n, k).lower).to.be.closeTo(bruteForce(n, k), 1e-14);
        expect(fairCoinTails(n, k).higher).to.be.closeTo(bruteForce(n, n - k), 1e-14);
      }
    }
  });

  it('gives the published exact p-values of the McNemar test', () => {
    // Fagerland, Lydersen and Laake 2013, BMC Medical Research Methodology 13:91: 1 and 7 discordant pairs.
    expect(pOf(8, 1)).to.be.closeTo(0.0703, 5e-5);
    // Agresti 2002, Categorical Data Analysis, table 10.1: 150 and 86; digits by scipy.stats.binomtest.
    expect(pOf(236, 86)).to.be.closeTo(3.7159361395713866e-5, 1e-16);
  });

  it('agrees with scipy.stats.binomtest for 6 of 22, 59 of 180, 5 of 20', () => {
    expect(pOf(22, 6)).to.be.closeTo(0.052478790283203125, 1e-15);
    expect(pOf(180, 59)).to.be.closeTo(4.4344492637551645e-6, 1e-18);
    expect(pOf(20, 5)).to.be.closeTo(0.04138946533203125, 1e-15);
  });

  it('is mirrored for k and n − k', () => {
    fc.assert(
      fc.property(fc.nat(5000), fc.double({ min: 0, max: 1, noNaN: true }), (n, share) => {
        const k = Math.round(share * n);
        const { lower, higher, attainable } = fairCoinTails(n, k);
        expect(fairCoinTails(n, n - k)).to.deep.equal({
          lower: higher,
          higher: lower,
          attainable,
        });
      }),
    );
  });

  it('follows the normal distribution for many coins', () => {
    // 1.96 standard deviations of 158.1 with half a step of continuity: p = 0.05.
    expect(pOf(100_000, 50_000 - 310)).to.be.closeTo(0.05, 0.0005);
  });

  it('goes to 0 without becoming anything else', () => {
    expect(pOf(100_000, 0)).to.equal(0);
    expect(pOf(1000, 0)).to.be.closeTo(2 ** -999, 2 ** -1030);
  });
});
