import { expect } from 'chai';
import fc from 'fast-check';
import type { MeasureColumn } from '../../../src/compare/differences/measure-columns.js';
import { pairedDifference } from '../../../src/compare/differences/paired-difference.js';
import { bonettPrice } from '../../../src/statistics/bonett-price.js';
import { meanInterval } from '../../../src/statistics/mean-interval.js';

const options = { draws: 300 };
const pairs = fc.array(
  fc.tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: -20, max: 20 })),
  { maxLength: 30 },
);

function compare(list: readonly (readonly [number, number])[], step?: number) {
  const column: MeasureColumn = {
    at: Uint32Array.from(list.keys()),
    base: Float64Array.from(list, ([base]) => base),
    other: Float64Array.from(list, ([, other]) => other),
    isEven: true,
    step,
    within: 0,
    onlyBase: 0,
    onlyOther: 0,
  };
  return pairedDifference(column, () => undefined, options);
}

describe('pairedDifference', () => {
  it('gives means, difference and counts over the pairs', () => {
    const found = compare([
      [1, 3],
      [2, 2],
      [5, 4],
      [0, 1],
    ]);
    expect(found).to.deep.include({ pairs: 4, base: 2, other: 2.5, higher: 2, lower: 1 });
    expect(found.difference?.estimate).to.equal(0.5);
    // Sums of ±2, ±1, ±1 that are at least 2 away from 0: 6 of 8.
    expect(found.p).to.equal(0.75);
  });

  it('could be beyond chance from six pairs on', () => {
    const moved = (count: number) => compare(Array.from({ length: count }, () => [0, 1] as const));
    expect(moved(5)).to.deep.include({ p: 0.0625, p_attainable: 1 / 32 });
    expect(moved(6)).to.deep.include({ p: 0.03125, p_attainable: 1 / 64 });
  });

  it('is mirrored when base and other change places', () => {
    fc.assert(
      fc.property(pairs, (list) => {
        const there = compare(list);
        const back = compare(list.map(([base, other]) => [other, base] as const));
        const { difference } = there;
        expect(back).to.deep.equal({
          ...there,
          base: there.other,
          other: there.base,
          higher: there.lower,
          lower: there.higher,
          p_lower: there.p_higher,
          p_higher: there.p_lower,
          difference: difference && {
            estimate: 0 - difference.estimate,
            low: difference.high === null ? null : 0 - difference.high,
            high: difference.low === null ? null : 0 - difference.low,
          },
        });
      }),
    );
  });

  it('does not depend on the order of pairs', () => {
    fc.assert(
      fc.property(
        pairs.chain((list) =>
          fc.tuple(
            fc.constant(list),
            fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
          ),
        ),
        ([list, shuffled]) => {
          expect(compare(shuffled)).to.deep.equal(compare(list));
        },
      ),
    );
  });

  it('takes means that differ by rounding for equal', () => {
    const found = compare([
      [0.1 + 0.2, 0.3],
      [1 / 3, 1 - 2 / 3],
    ]);
    expect(found).to.deep.include({ higher: 0, lower: 0, p: 1 });
    expect(found.difference).to.deep.equal({ estimate: 0, low: null, high: null });
  });

  it('has no figures without pairs, and no bounds for a few', () => {
    expect(compare([])).to.deep.equal({
      pairs: 0,
      base: null,
      other: null,
      difference: null,
      higher: 0,
      lower: 0,
      p: null,
      p_lower: null,
      p_higher: null,
      p_attainable: null,
    });
    expect(compare([[1, 4]])).to.deep.include({
      difference: { estimate: 3, low: null, high: null },
      p: 1,
    });
  });

  it("gives Bonett and Price's interval for shares", () => {
    const list = Array.from({ length: 12 }, (_, i) => [1, i < 3 ? 0 : 1] as const);
    const { difference } = compare(list, 1);
    const lost = [...Array<number>(3).fill(-1), ...Array<number>(9).fill(0)];
    expect(difference).to.deep.equal({ estimate: -0.25, ...bonettPrice(lost, 1) });
    // No pair differs, and still the two sides may.
    const same = compare(
      list.map(([base]) => [base, base] as const),
      1,
    ).difference;
    expect(same).to.deep.include({ estimate: 0 });
    expect(same?.low).to.be.within(-0.3, -0.05);
  });

  it('gives the interval of a mean for other values, and none where all pairs moved alike', () => {
    const list = Array.from({ length: 25 }, (_, i) => [0, (i * 7) % 11] as const);
    const { difference } = compare(list);
    const values = list.map(([, other]) => other);
    expect(difference).to.deep.include(meanInterval(Float64Array.from(values).sort()));
    const alike = compare(list.map(() => [2, 5] as const)).difference;
    expect(alike).to.deep.equal({ estimate: 3, low: null, high: null });
  });
});
