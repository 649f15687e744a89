import { expect } from 'chai';
import { didYouMean, nearNames } from '../../src/text/near-names.js';

describe('nearNames', () => {
  it('finds slips: a letter more, less or other, and another case', () => {
    for (const slip of ['refnd', 'refuund', 'refand', 'REFUND']) {
      expect(nearNames(slip, ['cancel', 'refund']), slip).to.deep.equal(['refund']);
    }
  });

  it('finds what begins with the name, and what the name begins with', () => {
    expect(nearNames('supp', ['support.eval.ts', 'agent.eval.ts'])).to.deep.equal([
      'support.eval.ts',
    ]);
    expect(nearNames('support.eval.ts', ['support'])).to.deep.equal(['support']);
    expect(nearNames('su', ['support'])).to.deep.equal([]);
  });

  it('gives at most three, each once, the nearest first', () => {
    const candidates = ['case-99', 'case-12', 'case-1', 'case-13', 'case-13', 'other'];
    const near = nearNames('case-1', candidates);
    expect(near).to.have.lengthOf(3);
    expect(near[0]).to.equal('case-1');
    expect(near.slice(1)).to.deep.equal(['case-12', 'case-13']);
  });

  it('gives nothing when nothing is near', () => {
    expect(nearNames('xyz', ['refund', 'cancel'])).to.deep.equal([]);
    expect(nearNames('refund', [])).to.deep.equal([]);
  });
});

describe('didYouMean', () => {
  it('asks for one or several, or says nothing', () => {
    expect(didYouMean('refnd', ['refund'])).to.equal('Did you mean refund?');
    expect(didYouMean('tests', ['test', 'texts'])).to.equal('Did you mean test or texts?');
    expect(didYouMean('refnd', ['other'])).to.equal(undefined);
  });
});
