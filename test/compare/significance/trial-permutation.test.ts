import { expect } from 'chai';
import fc from 'fast-check';
import type { TrialPair } from '../../../src/compare/cases/pair-cases.js';
import { permutedTails } from '../../../src/compare/significance/trial-permutation.js';
import { fisherTails } from '../../../src/statistics/fisher-exact.js';
import { normalQuantile } from '../../../src/statistics/normal-quantile.js';
import { seededRandom } from '../../../src/statistics/random.js';
import type { Tails } from '../../../src/statistics/tails.js';
import { drawError, normalTail } from './normal-tail.js';

interface Pair {
  readonly base: readonly number[];
  readonly other: readonly number[];
}

function tailsOf(pairs: readonly TrialPair[], draws?: number): Tails {
  return permutedTails(pairs, { draws, tolerance: 1e-9 });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}

/** Every difference of means that one pair may have, with how many ways lead to it. */
function ways({ base, other }: Pair): number[] {
  const difference = mean(other) - mean(base);
  if (base.length === other.length) return [difference, -difference];
  const all = [...base, ...other];
  const found: number[] = [];
  for (let choice = 0; choice < 2 ** all.length; choice += 1) {
    const inBase = all.filter((_, i) => (choice >>> i) & 1);
    if (inBase.length !== base.length) continue;
    found.push(mean(all.filter((_, i) => !((choice >>> i) & 1))) - mean(inBase));
  }
  return found;
}

/** Every way to deal out the trials of all pairs, counted. */
function bruteForce(pairs: readonly Pair[]): Tails {
  let sums = [0];
  for (const pair of pairs) {
    const own = ways(pair);
    sums = sums.flatMap((sum) => own.map((one) => sum + one));
  }
  const observed = pairs.reduce((sum, { base, other }) => sum + mean(other) - mean(base), 0);
  const [least, most] = [Math.min(...sums) + 1e-9, Math.max(...sums) - 1e-9];
  const ends = [sums.filter((sum) => sum <= least), sums.filter((sum) => sum >= most)];
  return {
    attainable: Math.min(...ends.map((end) => end.length)) / sums.length,
    lower: sums.filter((sum) => sum <= observed + 1e-9).length / sums.length,
    higher: sums.filter((sum) => sum >= observed - 1e-9).length / sums.length,
  };
}

function expectDrawn(found: Tails, expected: Tails, more = 0, draws = 20_000): void {
  for (const side of ['lower', 'higher'] as const) {
    const error = drawError(expected[side], draws) + more;
    expect(found[side]).to.be.closeTo(expected[side], error);
  }
  if (expected.attainable === 0) return;
  expect(found.attainable).to.be.closeTo(Math.max(expected.attainable, 1 / (draws + 1)), 1e-12);
}

/** By the normal distribution, with half a step of continuity; each base has one trial. */
function normalTails(pairs: readonly Pair[]): Tails {
  const trialsOfOther = pairs[0]?.other.length ?? 1;
  const step = 1 + 1 / trialsOfOther;
  let observed = 0;
  let variance = 0;
  for (const { base, other } of pairs) {
    observed += mean(other) - mean(base);
    const share = mean([...base, ...other]);
    variance += step ** 2 * share * (1 - share);
  }
  const deviation = Math.sqrt(variance);
  return {
    // Too small for a number.
    attainable: 0,
    lower: normalTail(-(observed + step / 2) / deviation),
    higher: normalTail((observed - step / 2) / deviation),
  };
}

function trials(value: fc.Arbitrary<number>, most: number) {
  return fc.array(value, { minLength: 1, maxLength: most });
}

function pairsOf(value: fc.Arbitrary<number>, mostPairs: number, mostTrials: number) {
  const pair = fc.record({ base: trials(value, mostTrials), other: trials(value, mostTrials) });
  return fc.array(pair, { minLength: 1, maxLength: mostPairs });
}

const passesOrFails = fc.constantFrom(0, 1);
const anyValue = fc.integer({ min: -5, max: 5 });

describe('permutedTails', () => {
  it('counts every way to deal out passes, exactly', () => {
    fc.assert(
      fc.property(pairsOf(passesOrFails, 4, 4), (pairs) => {
        const { lower, higher } = tailsOf(pairs);
        const expected = bruteForce(pairs);
        expect(lower).to.be.closeTo(expected.lower, 1e-12);
        expect(higher).to.be.closeTo(expected.higher, 1e-12);
      }),
      { numRuns: 60 },
    );
  });

  it('draws what every way to deal out values would give', () => {
    fc.assert(
      fc.property(pairsOf(anyValue, 4, 4), (pairs) => {
        expectDrawn(tailsOf(pairs, 4000), bruteForce(pairs), 0.005, 4000);
      }),
      { numRuns: 30, seed: 1 },
    );
  });

  it("is Fisher's exact test for one evaluation", () => {
    const base = [1, 1, 1, 0, 1];
    const other = [0, 0, 1];
    const { lower, higher } = tailsOf([{ base, other }]);
    const expected = fisherTails({ passes: 4, of: 5 }, { passes: 1, of: 3 });
    expect(lower).to.be.closeTo(expected.lower, 1e-12);
    expect(higher).to.be.closeTo(expected.higher, 1e-12);
  });

  it('draws the same as it counts, trial by trial or many pairs at a time', () => {
    const random = seededRandom(7);
    const draw = (length: number) => Array.from({ length }, () => (random() < 0.8 ? 1 : 0));
    const pairs = Array.from({ length: 300 }, () => ({ base: draw(1), other: draw(10) }));
    const exact = tailsOf(pairs);
    // The same passes, no longer recognised as such.
    const doubled = pairs.map(({ base, other }) => ({
      base: base.map((one) => one * 2),
      other: other.map((one) => one * 2),
    }));
    expectDrawn(tailsOf(doubled), exact);
    // So many passes that the distribution of their sum is too long to be counted out.
    const many = Array.from({ length: 4000 }, () => ({ base: draw(1), other: draw(30) }));
    const counted = normalTails(many);
    expectDrawn(tailsOf(many), counted, 0.003);
  });

  it('has the tails of the normal distribution for many pairs', () => {
    const random = seededRandom(8);
    const normal = () => normalQuantile(random() + 2 ** -54);
    const pairs = Array.from({ length: 20_000 }, () => ({
      base: [normal()],
      other: [normal(), normal(), normal()],
    }));
    const differences = pairs.map(({ base, other }) => mean(other) - mean(base));
    const deviation = Math.sqrt((4 / 3) * 20_000);
    // Moved so that the sum is two standard deviations below 0; the variance within pairs stays nearly the same.
    const shift = (-2 * deviation - differences.reduce((sum, one) => sum + one, 0)) / 20_000;
    const moved = pairs.map(({ base, other }) => ({
      base,
      other: other.map((one) => one + shift),
    }));
    expect(tailsOf(moved).lower).to.be.closeTo(0.02275, 0.005);
  });

  it('is mirrored when base and other change places, whatever the order of pairs and trials', () => {
    fc.assert(
      fc.property(pairsOf(anyValue, 6, 5), (pairs) => {
        const { lower, higher, attainable } = tailsOf(pairs, 200);
        const turned = pairs.map(({ base, other }) => ({ base: other, other: base }));
        const { attainable: mirrored, ...tails } = tailsOf(turned, 200);
        expect(tails).to.deep.equal({ lower: higher, higher: lower });
        expect(mirrored).to.be.closeTo(attainable, 1e-12);
        const moved = [...pairs].reverse().map(({ base, other }) => ({
          base: [...base].reverse(),
          other: [...other].reverse(),
        }));
        const again = tailsOf(moved, 200);
        expect(again.lower).to.be.closeTo(lower, 0.2);
      }),
    );
  });

  it('is mirrored where the sum is 0 and neither run has more trials', () => {
    for (const pairs of [
      [
        { base: [-5], other: [-3] },
        { base: [2, 4], other: [3, -1] },
      ],
      [
        { base: [1], other: [2, 4, 6] },
        { base: [2, 4, 6], other: [1] },
        { base: [1, 2], other: [3, 0] },
      ],
    ]) {
      const { lower, higher } = tailsOf(pairs, 200);
      const turned = pairs.map(({ base, other }) => ({ base: other, other: base }));
      expect(tailsOf(turned, 200)).to.deep.include({ lower: higher, higher: lower });
    }
  });

  it('finds nothing where all trials are alike', () => {
    const pairs = [
      { base: [1], other: [1, 1, 1] },
      { base: [0.3], other: [0.3, 0.3] },
    ];
    const nothing = { lower: 1, higher: 1, attainable: 1 };
    expect(tailsOf(pairs)).to.deep.equal(nothing);
    expect(tailsOf([{ base: [0, 0], other: [0] }])).to.deep.equal(nothing);
  });

  it('takes a thousand trials of an evaluation', () => {
    const base = Array.from({ length: 1000 }, (_, i) => (i < 990 ? 1 : 0));
    const other = Array.from({ length: 900 }, (_, i) => (i < 850 ? 1 : 0));
    const { lower, higher } = tailsOf([{ base, other }]);
    expect(lower).to.be.within(0, 1e-6);
    expect(higher).to.be.closeTo(1, 1e-9);
  });
});
