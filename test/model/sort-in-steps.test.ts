import { expect } from 'chai';
import fc from 'fast-check';
import { sortInSteps } from '../../src/model/sort-in-steps.js';
import { finish } from '../../src/model/steps.js';

describe('sortInSteps', () => {
  it('sorts as sorting at a stretch does', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (texts) => {
        expect(finish(sortInSteps(texts))).to.deep.equal([...texts].sort());
      }),
    );
  });

  it('sorts more than goes into one step', () => {
    const texts = Array.from({ length: 30_000 }, (_, i) => String((i * 7919) % 20_011));
    expect(finish(sortInSteps(texts))).to.deep.equal([...texts].sort());
    expect([...sortInSteps(texts)].length).to.be.at.least(14);
  });
});
