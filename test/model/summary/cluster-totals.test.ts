import { expect } from 'chai';
import { ClusterNumbers, ClusterTotals } from '../../../src/model/summary/cluster-totals.js';

/** Adds 1, 2, 4 … for rows with these cases; no case: a row without trials. */
function totalsOf(cases: readonly (string | undefined)[]): ClusterTotals {
  const numbers = new ClusterNumbers();
  const totals = new ClusterTotals();
  for (const [at, trial_of] of cases.entries()) totals.add(numbers.of({ trial_of }), 2 ** at);
  return totals;
}

describe('ClusterTotals', () => {
  it('adds up trials of a case that follow each other, and rows without trials by themselves', () => {
    const { sums, counts } = totalsOf(['a', 'a', undefined, undefined, 'b', 'b']);
    expect(sums).to.deep.equal([3, 4, 8, 48]);
    expect(counts).to.deep.equal([2, 1, 1, 2]);
  });

  it('adds up trials that are apart from each other', () => {
    const { sums, counts } = totalsOf(['a', 'b', undefined, 'a', 'c', 'b', 'c', 'a']);
    expect(sums).to.deep.equal([1 + 8 + 128, 2 + 32, 4, 16 + 64]);
    expect(counts).to.deep.equal([3, 2, 1, 2]);
  });

  it('knows only clusters that have something', () => {
    const totals = new ClusterTotals();
    for (const cluster of [3, 1, 3, 2, 1]) totals.add(cluster, cluster);
    expect([totals.sums, totals.counts]).to.deep.equal([
      [6, 2, 2],
      [2, 2, 1],
    ]);
  });
});
