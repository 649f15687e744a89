import { expect } from 'chai';
import { renderPercent } from '../../src/model/summary/figure-text.js';
import { boundsText, percentText, pointsText } from '../../src/text/share-text.js';
import { rateText } from '../../ui/src/components/figures/figures.js';

describe('text of a share', () => {
  it('has one decimal', () => {
    expect([0, 0.741, 0.7415, 1].map(percentText)).to.deep.equal(['0.0', '74.1', '74.2', '100.0']);
  });

  it('says all or nothing only where it is', () => {
    const shares = [0.9996, 0.99999, 299_999 / 300_000, 0.0004, 0.000004, 1 / 300_000];
    expect(shares.map(percentText)).to.deep.equal([
      '99.96',
      '99.999',
      '99.9997',
      '0.04',
      '0.0004',
      '0.0003',
    ]);
    // A sum of quotients that misses all by a binary digit.
    expect(percentText(1 - 2 ** -53)).to.equal('100.0');
  });

  it('has the sign of a difference, unless that is rounded to 0', () => {
    expect([0.098, -0.064, 0.0001].map(pointsText)).to.deep.equal(['+9.8', '−6.4', '0.0']);
  });

  it('is the same at the terminal and in the web UI', () => {
    for (const share of [0, 0.0004, 0.5, 2 / 3, 0.9999, 1]) {
      expect([rateText(share), renderPercent(share)]).to.deep.equal([
        `${percentText(share)} %`,
        `${percentText(share)} %`,
      ]);
    }
  });

  it('has bounds with one decimal, or says why there are none', () => {
    expect(boundsText({ low: 0.7131, high: 0.7674 })).to.equal('71.3–76.7');
    expect(boundsText({ low: null, high: null })).to.equal('n too small');
  });

  it('has no bound that says all or nothing where it is not', () => {
    // 10,000 of 10,000, and none of them.
    expect(boundsText({ low: 0.999616, high: 1 })).to.equal('99.96–100.0');
    expect(boundsText({ low: 0, high: 0.000384 })).to.equal('0.0–0.04');
  });
});
