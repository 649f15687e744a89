import { expect } from 'chai';
import fc from 'fast-check';
import { mergeNeighbours } from '../../../src/model/compare/merge-neighbours.js';
import { sumOf, type ValueGroups } from '../../../src/model/compare/number-lists.js';

const groups = fc
  .array(fc.tuple(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: 1, max: 50 })), {
    minLength: 40,
    maxLength: 300,
  })
  .map((list) => {
    list.sort(([a], [b]) => a - b);
    return {
      values: Float64Array.from(list, ([value]) => value),
      counts: Float64Array.from(list, ([, count]) => count),
    };
  });

describe('mergeNeighbours', () => {
  it('keeps the number, the mean, the order and the extremes', () => {
    fc.assert(
      fc.property(groups, (before) => {
        const { values, counts } = mergeNeighbours(before, 32);
        expect(sumOf(counts)).to.equal(sumOf(before.counts));
        const total = (of: ValueGroups) => sumOf(of.values.map((v, i) => v * (of.counts[i] ?? 0)));
        expect(total({ values, counts })).to.be.closeTo(total(before), 1e-6);
        expect([...values]).to.deep.equal([...values].sort((a, b) => a - b));
        expect([...values.slice(0, 4)]).to.deep.equal([...before.values.slice(0, 4)]);
        expect([...values.slice(-4)]).to.deep.equal([...before.values.slice(-4)]);
        expect(values.length).to.be.at.most(33);
      }),
    );
  });
});
