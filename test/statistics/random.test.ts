import { expect } from 'chai';
import { seededRandom, xoshiro128 } from '../../src/statistics/random.js';

function take<T>(count: number, next: () => T): T[] {
  return Array.from({ length: count }, next);
}

describe('xoshiro128**', () => {
  it('gives the numbers of the reference implementation 1.1 from the state 1, 2, 3, 4', () => {
    expect(take(10, xoshiro128([1, 2, 3, 4]))).to.deep.equal([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597,
      4258142804,
    ]);
  });
});

describe('seededRandom', () => {
  it('gives the same numbers for the same seed', () => {
    expect(take(100, seededRandom(7))).to.deep.equal(take(100, seededRandom(7)));
  });

  it('gives unrelated numbers for neighbouring seeds, zero included', () => {
    const all = [0, 1, 2, 3].flatMap((seed) => take(100, seededRandom(seed)));
    expect(new Set(all).size).to.equal(400);
  });

  it('is uniform on [0, 1)', () => {
    const count = 100_000;
    const numbers = take(count, seededRandom(1));
    const bins = new Float64Array(100);
    for (const number of numbers) {
      const bin = Math.floor(number * 100);
      bins[bin] = (bins[bin] ?? 0) + 1;
    }
    expect(numbers.every((number) => number >= 0 && number < 1)).to.equal(true);
    const expected = count / bins.length;
    const chiSquare = bins.reduce((sum, bin) => sum + (bin - expected) ** 2 / expected, 0);
    // 99 degrees of freedom: 0.01 % to either side lies outside 51 and 161.
    expect(chiSquare).to.be.within(51, 161);
  });

  it('uses 53 bits', () => {
    const numbers = take(1000, seededRandom(1)).map((number) => number * 2 ** 53);
    expect(numbers.every(Number.isSafeInteger)).to.equal(true);
    const lowBits = numbers.reduce((seen, number) => seen | (number % 2 ** 26), 0);
    expect(lowBits).to.equal(2 ** 26 - 1);
  });
});
