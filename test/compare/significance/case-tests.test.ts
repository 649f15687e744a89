import { expect } from 'chai';
import { pairCases } from '../../../src/compare/cases/pair-cases.js';
import { testCases } from '../../../src/compare/significance/case-tests.js';
import { finish } from '../../../src/model/steps.js';
import { passed } from '../eval-cases.js';

describe('testCases', () => {
  it('tests each case with trials in both runs, and corrects for how many there are', () => {
    const base = [passed('a', 10, 10), passed('b', 8, 10), passed('c', 1), passed('d', 5, 5)];
    const other = [passed('a', 2, 10), passed('b', 9, 10), passed('c', 0), passed('d', 1)];
    const [a, b, ...more] = testCases(finish(pairCases(base, other)));
    expect(more).to.deep.equal([]);
    // scipy.stats.fisher_exact([[10, 0], [2, 8]]): 0.000714…
    expect(a?.p_value).to.be.closeTo(0.0007144558228149558, 1e-16);
    expect(a?.adjusted_p_value).to.be.closeTo(2 * 0.0007144558228149558, 1e-15);
    expect(a).to.deep.include({ id: 'a', beyond_chance: true, direction: 'worse' });
    expect(b).to.deep.include({ p_value: 1, beyond_chance: false, direction: 'better' });
  });

  it('calls equal shares the same, whatever the number of trials', () => {
    const [test] = testCases(finish(pairCases([passed('a', 2, 4)], [passed('a', 5, 10)])));
    expect(test).to.deep.include({ direction: 'same', p_value: 1 });
  });
});
