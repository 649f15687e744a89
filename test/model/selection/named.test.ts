import { expect } from 'chai';
import { isCalled, mayBeName } from '../../../src/model/selection/named.js';
import { drawCases } from '../../../src/model/selection/sample.js';

const trial = {
  ...{ id: 'a.eval.ts::faq[q5]~1', trial_of: 'a.eval.ts::faq[q5]' },
  ...{ evaluation: 'a.eval.ts::faq', function: 'faq[q5]' },
};

describe('names of results', () => {
  it('are those that are printed, and patterns of them', () => {
    const names = ['faq[q5]~1', 'faq[q5]', 'faq', 'faq[*]', 'f*', '*[q5]', '*'];
    for (const name of names) {
      expect(isCalled(name)(trial), name).to.equal(true);
      expect(isCalled(`a.eval.ts::${name}`)(trial), name).to.equal(true);
    }
    for (const name of ['faq[q5]~2', 'faq[q]', 'fa', 'FAQ', 'b.eval.ts::faq', 'q5', 'faq.q5.']) {
      expect(isCalled(name)(trial), name).to.equal(false);
    }
  });

  it('are told from paths', () => {
    const names = ['faq', 'faq[a/b.ts]', 'straße', '*[q5]', 'faq~1', '$x'];
    const paths = ['evals/faq', 'a.eval.ts', '-', '~/evals', 'file:///x', '', '1', 'a\\b'];
    expect(names.filter((one) => !mayBeName(one))).to.deep.equal([]);
    expect(paths.filter(mayBeName)).to.deep.equal([]);
  });
});

describe('drawCases', () => {
  const ids = Array.from({ length: 1000 }, (_, n) => `a.eval.ts::faq[${n}]`);

  it('draws the same cases for a seed, and at most one other when a case is new', () => {
    const drawn = drawCases(ids, { size: 50, seed: 1 });
    expect([...drawCases([...ids].reverse(), { size: 50, seed: 1 })]).to.have.members([...drawn]);
    const more = drawCases([...ids, 'a.eval.ts::new'], { size: 50, seed: 1 });
    expect([...more].filter((id) => !drawn.has(id))).to.have.length.at.most(1);
    expect([...drawCases(ids, { size: 50, seed: 2 })]).to.not.have.members([...drawn]);
  });

  it('draws all if there are no more', () => {
    expect(drawCases(['a', 'b', 'a'], { size: 9, seed: 1 }).size).to.equal(2);
  });
});
