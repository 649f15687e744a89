import { expect } from 'chai';
import fc from 'fast-check';
import { fisherTails } from '../../src/statistics/fisher-exact.js';
import { twoSidedP } from '../../src/statistics/tails.js';

function choose(n: number, k: number): number {
  let product = 1;
  for (let i = 1; i <= k; i += 1) product = (product * (n - i + 1)) / i;
  return product;
}

/** Probability of at most so many passes in `other`, over all tables with the same totals. */
function atMost(base: [number, number], other: [number, number]): number {
  const passes = base[0] + other[0];
  let sum = 0;
  for (let x = Math.max(0, passes - base[1]); x <= other[0]; x += 1) {
    sum += choose(other[1], x) * choose(base[1], passes - x);
  }
  return sum / choose(base[1] + other[1], passes);
}

function test([a, n]: [number, number], [b, m]: [number, number]) {
  const tails = fisherTails({ passes: a, of: n }, { passes: b, of: m });
  return { ...tails, twoSided: twoSidedP(tails) };
}

const table = fc
  .tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 }))
  .chain(([n, m]) => fc.tuple(fc.nat(n), fc.constant(n), fc.nat(m), fc.constant(m)));

describe('fisherTails', () => {
  it('gives 17/70 for the lady tasting tea who finds 3 of 4 cups', () => {
    // Fisher 1935, The Design of Experiments, chapter 2.
    const { higher, twoSided } = test([1, 4], [3, 4]);
    expect(higher).to.be.closeTo(17 / 70, 1e-15);
    expect(twoSided).to.be.closeTo(34 / 70, 1e-15);
    expect(test([0, 4], [4, 4]).higher).to.be.closeTo(1 / 70, 1e-16);
  });

  it('gives 619/1330665 for the convicted twins', () => {
    // Fisher 1935, Journal of the Royal Statistical Society 98, 48–50: 10 of 13 and 2 of 17.
    expect(test([10, 13], [2, 17]).lower).to.be.closeTo(619 / 1_330_665, 1e-16);
  });

  it('is the sum over all tables with the same totals', () => {
    fc.assert(
      fc.property(table, ([a, n, b, m]) => {
        const { lower, higher, twoSided } = test([a, n], [b, m]);
        expect(lower).to.be.closeTo(atMost([a, n], [b, m]), 1e-12);
        expect(higher).to.be.closeTo(atMost([n - a, n], [m - b, m]), 1e-12);
        expect(twoSided).to.equal(Math.min(1, 2 * Math.min(lower, higher)));
      }),
    );
  });

  it('has the two sides change places when base and other do', () => {
    fc.assert(
      fc.property(table, ([a, n, b, m]) => {
        const there = test([a, n], [b, m]);
        const back = test([b, m], [a, n]);
        expect(back.lower).to.be.closeTo(there.higher, 1e-12);
        expect(back.twoSided).to.be.closeTo(there.twoSided, 1e-12);
      }),
    );
  });

  it('agrees with scipy.stats.fisher_exact, two-sided, for equally many trials', () => {
    expect(test([9, 12], [4, 12]).twoSided).to.be.closeTo(0.0995327192661962, 1e-14);
    expect(test([5, 5], [0, 5]).twoSided).to.be.closeTo(2 / 252, 1e-16);
  });

  it('is 1 when all or none passed, and finite for a thousand trials', () => {
    expect(test([7, 7], [3, 3]).twoSided).to.equal(1);
    expect(test([0, 7], [0, 3]).twoSided).to.equal(1);
    expect(test([1000, 1000], [0, 1000]).twoSided).to.be.within(0, 1e-300);
    expect(test([500, 1000], [500, 1000]).twoSided).to.equal(1);
  });
});
