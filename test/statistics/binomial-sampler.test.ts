import { expect } from 'chai';
import { drawBinomial } from '../../src/statistics/binomial-sampler.js';
import { seededRandom } from '../../src/statistics/random.js';

const draws = 40_000;

function sample(n: number, p: number): number[] {
  const random = seededRandom(11);
  return Array.from({ length: draws }, () => drawBinomial(random, n, p));
}

/** Binomial probabilities from their recurrence, started at the mode so that nothing underflows. */
function masses(n: number, p: number): Float64Array {
  const mass = new Float64Array(n + 1);
  const mode = Math.min(n, Math.floor((n + 1) * p));
  for (let k = mode, at = 1; k <= n; k += 1) {
    mass[k] = at;
    at *= ((n - k) * p) / ((k + 1) * (1 - p));
  }
  for (let k = mode, at = 1; k >= 0; k -= 1) {
    mass[k] = at;
    at *= (k * (1 - p)) / ((n - k + 1) * p);
  }
  const sum = mass.reduce((total, one) => total + one, 0);
  return mass.map((one) => one / sum);
}

/** Standardised chi-square distance, neighbours joined until 20 draws are expected; near 0 ± 1. */
function misfit(values: readonly number[], n: number, p: number): number {
  const seen = new Float64Array(n + 1);
  for (const value of values) seen[value] = (seen[value] ?? 0) + 1;
  let [chiSquare, cells, expected, found] = [0, 0, 0, 0];
  masses(n, p).forEach((mass, k) => {
    expected += mass * draws;
    found += seen[k] ?? 0;
    if (expected < 20) return;
    chiSquare += (found - expected) ** 2 / expected;
    cells += 1;
    [expected, found] = [0, 0];
  });
  return (chiSquare - (cells - 1)) / Math.sqrt(2 * (cells - 1));
}

// Both methods, both sides of where they meet (n·p = 10), both sides of p = ½.
const settings = [
  [1, 0.3],
  [5, 0.5],
  [20, 0.49],
  [20, 0.5],
  [24, 0.7],
  [99, 0.1],
  [101, 0.1],
  [200, 0.95],
  [1000, 0.004],
  [1000, 0.25],
  [5000, 0.9],
  [100_000, 0.0001],
  [100_000, 0.37],
] as const;

describe('drawBinomial', () => {
  for (const [n, p] of settings) {
    it(`has the mean, variance and shape of ${n} trials with probability ${p}`, () => {
      const values = sample(n, p);
      const variance = n * p * (1 - p);
      const mean = values.reduce((sum, value) => sum + value, 0) / draws;
      const spread = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (draws - 1);
      const kurtosis = 3 + (1 - 6 * p * (1 - p)) / variance;
      expect(Math.abs(mean - n * p)).to.be.below(4 * Math.sqrt(variance / draws));
      expect(Math.abs(spread / variance - 1)).to.be.below(4 * Math.sqrt((kurtosis - 1) / draws));
      if (n > 1) expect(misfit(values, n, p)).to.be.within(-4, 4);
    });
  }

  it('takes all or none without chance', () => {
    const noChance = () => {
      throw new Error('Nothing is left to chance');
    };
    expect(drawBinomial(noChance, 0, 0.5)).to.equal(0);
    expect(drawBinomial(noChance, 9, 0)).to.equal(0);
    expect(drawBinomial(noChance, 9, 1)).to.equal(9);
  });

  it('stays between 0 and n when the random numbers are extreme', () => {
    const random = seededRandom(3);
    for (const extreme of [0, 1 - 2 ** -53]) {
      for (const [n, p] of settings) {
        let first = true;
        const value = drawBinomial(
          () => {
            const next = first ? extreme : random();
            first = false;
            return next;
          },
          n,
          p,
        );
        expect(value).to.be.within(0, n);
        expect(Number.isInteger(value)).to.equal(true);
      }
    }
  });
});
