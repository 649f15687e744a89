import { expect } from 'chai';
import fc from 'fast-check';
import { isRowSelection, selectedRows, toRanges } from '../../../src/store/log/row-ranges.js';

describe('row ranges', () => {
  it('hold neighbours together, in order and once', () => {
    expect(toRanges([5, 3, 4, 9, 3])).to.deep.equal([
      [3, 5],
      [9, 9],
    ]);
    expect(toRanges([])).to.deep.equal([]);
  });

  it('give back the very indices they were made from', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(60)), (indices) => {
        const ranges = toRanges(indices);
        expect([...selectedRows(ranges, 100)]).to.deep.equal(indices.sort((a, b) => a - b));
        expect(isRowSelection(ranges)).to.equal(true);
      }),
    );
  });

  it('end where the run ends, however far they claim to go', () => {
    expect([...selectedRows([[1, 9_000_000_000]], 4)]).to.deep.equal([1, 2, 3]);
    expect([...selectedRows('all', 3)]).to.deep.equal([0, 1, 2]);
    expect([...selectedRows('all', 0)]).to.deep.equal([]);
  });

  it('are refused when they overlap, go back or are no ranges', () => {
    for (const bad of [
      [
        [0, 5],
        [5, 6],
      ],
      [[3, 2]],
      [[-1, 2]],
      [[0.5, 2]],
      [[1]],
      [1, 2],
      'some',
      null,
    ]) {
      expect(isRowSelection(bad), JSON.stringify(bad)).to.equal(false);
    }
  });
});
