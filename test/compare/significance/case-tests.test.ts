import { expect } from 'chai';
import { fullPairs, pairCases } from '../../../src/compare/cases/pair-cases.js';
import { testCases, testCasesOf } from '../../../src/compare/significance/case-tests.js';
import { passed } from '../eval-cases.js';

describe('testCases', () => {
  it('tests each case with trials in both runs, and corrects for how many there are', () => {
    const base = [passed('a', 10, 10), passed('b', 8, 10), passed('c', 1), passed('d', 5, 5)];
    const other = [passed('a', 2, 10), passed('b', 9, 10), passed('c', 0), passed('d', 1)];
    const [a, b, ...more] = testCases(pairCases(base, other));
    expect(more).to.deep.equal([]);
    // scipy.stats.fisher_exact([[10, 0], [2, 8]]): 0.000714…
    expect(a?.p).to.be.closeTo(0.0007144558228149558, 1e-16);
    // b has 17 of 20 passes: the least that either side can have of them is 7 of 10, in 10.5 %.
    expect(a?.p_adjusted).to.equal(a?.p);
    expect(a).to.deep.include({ id: 'a', among: 1, beyond_chance: true, direction: 'worse' });
    expect(b).to.deep.include({ p: 1, p_adjusted: null, among: null, beyond_chance: false });
    expect(b?.p_attainable).to.be.closeTo(2 / 19, 1e-15);
  });

  it('corrects for the cases whose passes could be split beyond chance', () => {
    const [base, other] = [
      [passed('a', 10, 10), passed('b', 6, 10), passed('sure', 10, 10)],
      [passed('a', 2, 10), passed('b', 5, 10), passed('sure', 10, 10)],
    ];
    const [a, b, sure] = testCases(pairCases(base, other));
    expect(a).to.include({ among: 2, beyond_chance: true });
    expect(a?.p_adjusted).to.be.closeTo(2 * 0.0007144558228149558, 1e-15);
    expect(b).to.include({ p_adjusted: 1, among: 2 });
    expect(sure).to.include({ p: 1, p_attainable: 1, p_adjusted: null });
  });

  it('corrects for the cases of several comparisons together', () => {
    const base = [passed('a', 10, 10)];
    const [first, second] = testCasesOf(
      [2, 4].map((passes) => fullPairs(base, [passed('a', passes, 10)])),
    );
    expect(first?.[0]).to.include({ among: 2, beyond_chance: true });
    expect(first?.[0]?.p_adjusted).to.be.closeTo(2 * 0.0007144558228149558, 1e-15);
    expect(second?.[0]).to.include({ among: 2, p_adjusted: second?.[0]?.p, direction: 'worse' });
  });

  it('calls equal shares the same, whatever the number of trials', () => {
    const [test] = testCases(pairCases([passed('a', 2, 4)], [passed('a', 5, 10)]));
    expect(test).to.deep.include({ direction: 'same', p: 1 });
  });
});
