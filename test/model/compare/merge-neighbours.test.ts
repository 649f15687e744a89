import { expect } from 'chai';
import fc from 'fast-check';
import { mergeNeighbours } from '../../../src/model/compare/merge-neighbours.js';
import { groupSorted, type ValueGroups } from '../../../src/model/compare/number-lists.js';
import { sumOf } from '../../../src/statistics/sums.js';

const groups = fc
  .array(fc.tuple(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: 1, max: 50 })), {
    minLength: 1,
    maxLength: 300,
  })
  .map((list) => {
    list.sort(([a], [b]) => a - b);
    return {
      values: Float64Array.from(list, ([value]) => value),
      counts: Float64Array.from(list, ([, count]) => count),
    };
  });

const meanOf = ({ values, counts }: ValueGroups) =>
  sumOf(values.map((value, i) => value * (counts[i] ?? 0))) / sumOf(counts);

const varianceOf = (of: ValueGroups) => {
  const mean = meanOf(of);
  const squares = of.values.map((value, i) => (value - mean) ** 2 * (of.counts[i] ?? 0));
  return sumOf(squares) / sumOf(of.counts);
};

describe('mergeNeighbours', () => {
  it('keeps the number, the mean, the order and all but 1/256 of the variance', () => {
    fc.assert(
      fc.property(groups, (before) => {
        const after = mergeNeighbours(before);
        expect(sumOf(after.counts)).to.equal(sumOf(before.counts));
        expect(meanOf(after)).to.be.closeTo(meanOf(before), 1e-9);
        expect([...after.values]).to.deep.equal([...after.values].sort((a, b) => a - b));
        expect(varianceOf(after)).to.be.within(
          varianceOf(before) * (255 / 256 - 1e-9),
          varianceOf(before) * (1 + 1e-9),
        );
      }),
    );
  });

  it('leaves few groups, however values are spread', () => {
    const even = Float64Array.from({ length: 100_000 }, (_, i) => i);
    // Few of them near: the farther out, the rarer.
    const tailed = Float64Array.from({ length: 100_000 }, (_, i) => 1 / (1 - i / 100_000)).sort();
    for (const values of [even, tailed]) {
      const { length } = mergeNeighbours(groupSorted(values, 0)).values;
      expect(length).to.be.within(20, (768 * values.length) ** (1 / 3));
    }
  });

  it('merges numbers whose squares cannot be held', () => {
    const huge = groupSorted(Float64Array.of(-1e300, 1e299, 1e299 * (1 + 1e-9), 1e300), 0);
    expect([...mergeNeighbours(huge).counts]).to.deep.equal([1, 2, 1]);
  });

  it('leaves equal values alone', () => {
    expect([...mergeNeighbours(groupSorted(Float64Array.of(7, 7), 0)).values]).to.deep.equal([7]);
  });
});
