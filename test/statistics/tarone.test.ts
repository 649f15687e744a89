import { expect } from 'chai';
import fc from 'fast-check';
import { testsAmong } from '../../src/statistics/tarone.js';

describe('testsAmong', () => {
  it('is the smallest K for which at most K tests can reach .025 / K', () => {
    const attainable = fc.array(fc.constantFrom(...[1, 2, 5, 6, 7, 8, 9, 12].map((n) => 2 ** -n)));
    fc.assert(
      fc.property(attainable, (list) => {
        const reach = (among: number) => list.filter((one) => one <= 0.025 / among).length;
        const found = testsAmong(list);
        expect(reach(found)).to.be.at.most(found);
        for (let less = 1; less < found; less += 1) expect(reach(less)).to.be.above(less);
      }),
    );
  });

  it('counts a test that reaches the level exactly', () => {
    // .1 + .2 is more than .3 in floating point.
    expect(testsAmong([0.1 / 4, 0.05 / 4 + Number.EPSILON / 64])).to.equal(2);
    expect(testsAmong([])).to.equal(1);
    expect(testsAmong([1, 1, 0.5])).to.equal(1);
  });
});
