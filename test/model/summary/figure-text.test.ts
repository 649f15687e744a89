import { expect } from 'chai';
import { renderMeanBounds } from '../../../src/model/summary/figure-text.js';

describe('figures of exports', () => {
  it('gives bounds of a mean that differ, or says why there are none', () => {
    expect(renderMeanBounds({ low: 0.7134, high: 0.7669 })).to.equal('0.713–0.767');
    expect(renderMeanBounds({ low: 0.83331, high: 0.83339 })).to.equal('0.8333–0.8334');
    expect(renderMeanBounds({ low: 1e12 + 1, high: 1e12 + 3 })).to.equal(
      '1,000,000,000,001–1,000,000,000,003',
    );
    expect(renderMeanBounds({ low: null, high: null })).to.equal('n too small');
  });
});
