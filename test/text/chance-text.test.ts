import { expect } from 'chai';
import { hasTooLittleData, pText, testText } from '../../src/text/chance-text.js';

describe('the text of a test', () => {
  it('has a p-value that rounding does not move across .05', () => {
    const texts = [0.0004, 0.004, 0.0312, 0.04996, 0.05, 0.0503, 0.12, 1].map(pText);
    expect(texts).to.deep.equal(['<.001', '.004', '.031', '.04996', '.050', '.050', '.12', '1']);
  });

  it('has the corrected p-value where its verdict is another one', () => {
    const test = (p: number, p_adjusted: number | null) =>
      testText({ p, p_adjusted, among: p_adjusted === null ? null : 4 });
    expect(test(0.03125, 0.125)).to.equal('.031, .125 among 4');
    expect(test(0.02, 0.08)).to.equal('.020, .080 among 4');
    expect(test(0.0499, 0.1996)).to.equal('.0499, .20 among 4');
    expect(test(0.04, 1)).to.equal('.040, 1 among 4');
    expect(test(0.004, 0.016)).to.equal('.004');
    expect(test(0.3, 1)).to.equal('.30');
    expect(test(0.03125, null)).to.equal('.031');
    expect(testText({ p: null, p_adjusted: null, among: null })).to.equal('');
  });

  it('is of too little data only if there is a test', () => {
    expect(hasTooLittleData({ p: 0.5, p_adjusted: null })).to.equal(true);
    expect(hasTooLittleData({ p: 0.5, p_adjusted: 0.5 })).to.equal(false);
    expect(hasTooLittleData({ p: null, p_adjusted: null })).to.equal(false);
  });
});
