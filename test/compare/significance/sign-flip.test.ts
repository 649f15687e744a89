import { expect } from 'chai';
import fc from 'fast-check';
import { signFlipTails } from '../../../src/compare/significance/sign-flip.js';
import { fairCoinTails } from '../../../src/statistics/half-binomial.js';
import { seededRandom } from '../../../src/statistics/random.js';
import { type Tails, twoSidedP } from '../../../src/statistics/tails.js';
import { drawError, normalTail } from './normal-tail.js';

/** Darwin's maize in eighths of an inch (Fisher 1935, The Design of Experiments, section 17). */
const darwin = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];

/** All assignments of signs, in whole numbers. */
function bruteForce(differences: readonly number[]): Tails {
  let sums = [0];
  for (const one of differences) sums = sums.flatMap((sum) => [sum + one, sum - one]);
  const observed = differences.reduce((sum, one) => sum + one, 0);
  const most = differences.reduce((sum, one) => sum + Math.abs(one), 0);
  return {
    lower: sums.filter((sum) => sum <= observed).length / sums.length,
    higher: sums.filter((sum) => sum >= observed).length / sums.length,
    attainable: sums.filter((sum) => sum === most).length / sums.length,
  };
}

type Options = Parameters<typeof signFlipTails>[1];

function tailsOf(differences: readonly number[], options?: Options): Tails {
  return signFlipTails(Float64Array.from(differences).sort(), options);
}

function pOf(differences: readonly number[], options?: Options): number {
  return twoSidedP(tailsOf(differences, options));
}

function expectTails(found: Tails, expected: Tails): void {
  expect(found.lower).to.be.closeTo(expected.lower, 1e-12);
  expect(found.higher).to.be.closeTo(expected.higher, 1e-12);
  expect(found.attainable).to.be.closeTo(expected.attainable, 1e-12);
}

describe('signFlipTails', () => {
  it('is the share of all signs for up to 14 differences', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { maxLength: 14 }), (differences) => {
        const whole = bruteForce(differences);
        expectTails(tailsOf(differences), whole);
        // The same in fifths, where sums that are equal on paper are not equal in floating point.
        const fifths = differences.map((one) => one / 5);
        expectTails(tailsOf(fifths, { tolerance: 1e-12 }), whole);
      }),
      { numRuns: 60 },
    );
  });

  it('comes to 1726 of 32768 for the maize of Darwin, as Fisher counted', () => {
    // Section 21: 863 assignments of signs give a total as large as 314.
    expect(twoSidedP(bruteForce(darwin))).to.equal(1726 / 32_768);
    expect(pOf(darwin)).to.be.closeTo(1726 / 32_768, drawError(1726 / 32_768));
  });

  it('is the exact McNemar test when all differences are of one size', () => {
    fc.assert(
      fc.property(fc.nat(300), fc.nat(300), fc.nat(50), (worse, better, same) => {
        const differences = [
          ...Array<number>(worse).fill(-1),
          ...Array<number>(same).fill(0),
          ...Array<number>(better).fill(1),
        ];
        const expected =
          worse + better === 0 ? { lower: 1, higher: 1 } : fairCoinTails(worse + better, better);
        expect(tailsOf(differences)).to.deep.equal(expected);
      }),
    );
  });

  it('draws what all signs would give', () => {
    const random = seededRandom(3);
    for (const steps of [3, 50, 100_000]) {
      // 18 differences: 262,144 assignments, which the test tries in full and the function draws from.
      const differences = Array.from({ length: 18 }, () => Math.ceil((random() - 0.35) * steps));
      const exact = twoSidedP(bruteForce(differences));
      expect(pOf(differences)).to.be.closeTo(exact, drawError(exact));
    }
  });

  it('has the p-value of the normal distribution for many differences', () => {
    // A total of two standard deviations: p = 0.0455. Of few sizes, of many, and of more than are drawn singly.
    for (const [count, sizes] of [
      [2000, 7],
      [3000, 3000],
      [20_000, 200],
      [20_000, 20_000],
    ] as const) {
      const values = Array.from({ length: count }, (_, i) => 1 + (i % sizes) / sizes);
      const deviation = Math.sqrt(values.reduce((sum, one) => sum + one * one, 0));
      let rest = values.reduce((sum, one) => sum + one, 0) - 2 * deviation;
      // Turning a value around takes twice of it off the total.
      const differences = values.map((one, i) => {
        if ((i * 7919) % 2 === 1 || rest < 2 * one) return one;
        rest -= 2 * one;
        return -one;
      });
      const total = differences.reduce((sum, one) => sum + one, 0);
      const expected = 2 * normalTail(total / deviation);
      expect(pOf(differences)).to.be.closeTo(expected, drawError(expected) + 0.001);
    }
  });

  it('has one p-value for numbers of any size, also where their squares cannot be held', () => {
    const random = seededRandom(12);
    const values = Array.from({ length: 5000 }, () => random() - 0.492);
    const scaled = (scale: number) => pOf(values.map((one) => one * scale));
    expect(scaled(1)).to.be.within(1e-4, 0.5);
    expect(scaled(2 ** 900)).to.equal(scaled(1));
    expect(scaled(2 ** -900)).to.equal(scaled(1));
  });

  it('keeps one huge difference apart from many small ones', () => {
    // With either sign of the huge one, half of all signs of the others take the total further out. Were it but
    // part of a normal number, p would be 0.32.
    const small = Array.from({ length: 10_000 }, (_, i) => ((i % 2) - 0.5) * (1 + i / 1e6));
    expect(pOf([...small, 1e6])).to.be.closeTo(0.5, 0.02);
  });

  it('does not depend on which side is subtracted', () => {
    const differences = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 40 });
    fc.assert(
      fc.property(differences, (values) => {
        const options = { draws: 200 };
        const negated = values.map((one) => -one);
        expect(pOf(negated, options)).to.equal(pOf(values, options));
      }),
    );
  });

  it('is 1 without differences and never 0', () => {
    expect(pOf([])).to.equal(1);
    expect(pOf([0, 0, 1e-14], { tolerance: 1e-12 })).to.equal(1);
    const allBetter = Array.from({ length: 500 }, (_, i) => 1 + i / 1000);
    expect(pOf(allBetter)).to.equal(2 / 40_001);
    expect(pOf(allBetter, { draws: 99 })).to.equal(2 / 199);
  });

  it('leaves its input as it was', () => {
    const values = Float64Array.of(-1, 2, 3);
    signFlipTails(values);
    expect([...values]).to.deep.equal([-1, 2, 3]);
  });
});
