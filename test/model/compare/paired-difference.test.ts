import { expect } from 'chai';
import fc from 'fast-check';
import { pairedDifference } from '../../../src/model/compare/paired-difference.js';
import { finish } from '../../../src/model/steps.js';

const options = { draws: 300, resamples: 100 };
const pairs = fc.array(
  fc.tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: -20, max: 20 })),
  { maxLength: 30 },
);

function compare(list: readonly (readonly [number, number])[]) {
  return finish(
    pairedDifference(
      Float64Array.from(list, ([base]) => base),
      Float64Array.from(list, ([, other]) => other),
      options,
    ),
  );
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
    expect(found.p_value).to.equal(0.75);
    expect(found.beyond_chance).to.equal(false);
  });

  it('is beyond chance from six pairs that all moved one way', () => {
    const moved = (count: number) => compare(Array.from({ length: count }, () => [0, 1] as const));
    expect(moved(5)).to.deep.include({ p_value: 0.0625, beyond_chance: false });
    expect(moved(6)).to.deep.include({ p_value: 0.03125, beyond_chance: true });
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
    expect(found).to.deep.include({ higher: 0, lower: 0, p_value: 1 });
    expect(found.difference).to.deep.equal({ estimate: 0, low: 0, high: 0 });
  });

  it('has no figures without pairs, and no bounds for one', () => {
    expect(compare([])).to.deep.equal({
      pairs: 0,
      base: null,
      other: null,
      difference: null,
      higher: 0,
      lower: 0,
      p_value: null,
      beyond_chance: false,
    });
    expect(compare([[1, 4]])).to.deep.include({
      difference: { estimate: 3, low: null, high: null },
      p_value: 1,
    });
  });
});
