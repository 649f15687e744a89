import { expect } from 'chai';
import {
  drawnWithoutMiss,
  independentVariance,
  passAllK,
  passAtK,
} from '../../src/statistics/pass-at-k.js';

/** Shares of all subsets of k out of n trials, the first c of which passed. */
function bruteForce(n: number, c: number, k: number) {
  let subsets = 0;
  let any = 0;
  let all = 0;
  for (let subset = 0; subset < 2 ** n; subset += 1) {
    const members = Array.from({ length: n }, (_, i) => i).filter((i) => (subset >> i) & 1);
    if (members.length !== k) continue;
    subsets += 1;
    if (members.some((i) => i < c)) any += 1;
    if (members.every((i) => i < c)) all += 1;
  }
  return { any: any / subsets, all: all / subsets };
}

function choose(n: number, k: number): bigint {
  let result = 1n;
  for (let i = 1n; i <= BigInt(k); i += 1n) result = (result * (BigInt(n - k) + i)) / i;
  return result;
}

describe('passAtK and passAllK', () => {
  it('are 0.7 and 0.1 for two passes in five trials and k = 2', () => {
    expect(passAtK(5, 2, 2)).to.equal(0.7);
    expect(passAllK(5, 2, 2)).to.equal(0.1);
  });

  it('are the shares over all subsets of k trials', () => {
    for (let n = 1; n <= 8; n += 1) {
      for (let c = 0; c <= n; c += 1) {
        for (let k = 1; k <= n; k += 1) {
          const { any, all } = bruteForce(n, c, k);
          expect(passAtK(n, c, k)).to.be.closeTo(any, 1e-15);
          expect(passAllK(n, c, k)).to.be.closeTo(all, 1e-15);
        }
      }
    }
  });

  it('are the share of passes for k = 1', () => {
    expect(passAtK(200, 57, 1)).to.be.closeTo(57 / 200, 1e-15);
    expect(passAllK(200, 57, 1)).to.equal(57 / 200);
  });

  it('are exactly 0 and 1 where they must be', () => {
    expect([passAtK(9, 0, 4), passAllK(9, 0, 4)]).to.deep.equal([0, 0]);
    expect([passAtK(9, 9, 4), passAllK(9, 9, 4)]).to.deep.equal([1, 1]);
    expect(passAtK(9, 6, 4)).to.equal(1);
    expect(passAllK(9, 3, 4)).to.equal(0);
  });

  it('stay exact where the binomials leave the range of doubles', () => {
    const precision = 10n ** 25n;
    for (const [n, c, k] of [
      [1000, 500, 10],
      [1000, 10, 500],
      [1000, 990, 300],
      [1000, 1, 999],
    ] as const) {
      const none = Number((choose(n - c, k) * precision) / choose(n, k)) / 1e25;
      const all = Number((choose(c, k) * precision) / choose(n, k)) / 1e25;
      expect(passAtK(n, c, k)).to.be.closeTo(1 - none, 1e-13);
      expect(passAllK(n, c, k)).to.be.closeTo(all, 1e-13);
    }
  });

  it('reject counts that cannot be, and k above n', () => {
    for (const [n, c, k] of [
      [5, 6, 1],
      [5, -1, 1],
      [5, 2, 0],
      [5, 2, 6],
      [0, 0, 1],
      [5, 2, 1.5],
      [5.5, 2, 1],
      [5, Number.NaN, 1],
    ] as const) {
      expect(() => passAtK(n, c, k)).to.throw(RangeError, `n = ${n}, c = ${c}, k = ${k}`);
      expect(() => passAllK(n, c, k)).to.throw(RangeError, `n = ${n}, c = ${c}, k = ${k}`);
    }
  });
});

describe('drawnWithoutMiss', () => {
  it('has one value for each k up to the size of the part', () => {
    expect([...drawnWithoutMiss(4, 2)]).to.deep.equal([2 / 4, (2 / 4) * (1 / 3)]);
    expect([...drawnWithoutMiss(4, 0)]).to.deep.equal([]);
  });
});

describe('independentVariance', () => {
  it('is the variance over all numbers of passes', () => {
    for (const n of [1, 2, 5, 10, 40]) {
      for (const k of new Set([1, 2, Math.ceil(n / 2), n - 1, n])) {
        if (k < 1 || k > n) continue;
        for (const all of [1e-6, 0.2, 0.5, 0.99]) {
          const p = all ** (1 / k);
          let variance = 0;
          for (let c = 0; c <= n; c += 1) {
            const chance = Number(choose(n, c)) * p ** c * (1 - p) ** (n - c);
            variance += chance * (passAllK(n, c, k) - all) ** 2;
          }
          const relative = independentVariance(n, k, all) / variance;
          expect(relative, `${n} ${k} ${all}`).to.be.closeTo(1, 1e-9);
        }
      }
    }
  });

  it('stays finite for many trials and shares near 0', () => {
    expect(independentVariance(1000, 500, 1e-310)).to.be.within(0, 1e-300);
    expect(independentVariance(50_000, 20_000, 0.5)).to.be.within(0, 0.25);
  });
});
