import { expect } from 'chai';
import { countOf, renderCount } from '../../src/text/count-text.js';
import { renderElapsed, renderLatency } from '../../src/text/duration-text.js';

describe('figures', () => {
  it('separates thousands', () => {
    expect([0, 999, 1000, 1234567].map(renderCount)).to.deep.equal([
      '0',
      '999',
      '1,000',
      '1,234,567',
    ]);
  });

  it('gives nouns their number', () => {
    expect([countOf(0, 'error'), countOf(1, 'error'), countOf(2000, 'error')]).to.deep.equal([
      '0 errors',
      '1 error',
      '2,000 errors',
    ]);
  });

  it('gives elapsed times in the unit that fits', () => {
    expect([0, 0.44, 59.94, 59.96, 125, 3599.6, 3720, 90_000].map(renderElapsed)).to.deep.equal([
      '0.0 s',
      '0.4 s',
      '59.9 s',
      '1 min 0 s',
      '2 min 5 s',
      '1 h 0 min',
      '1 h 2 min',
      '25 h 0 min',
    ]);
  });

  it('gives latencies down to a tenth of a millisecond', () => {
    const latencies = [0, 0.00001, 0.00021, 0.00994, 0.00996, 0.0994, 0.0996, 0.741, 2.13];
    expect([...latencies, 9.994, 9.996, 59.94, 125].map(renderLatency)).to.deep.equal([
      '0.0 ms',
      '<0.1 ms',
      '0.2 ms',
      '9.9 ms',
      '10 ms',
      '99 ms',
      '0.10 s',
      '0.74 s',
      '2.13 s',
      '9.99 s',
      '10.0 s',
      '59.9 s',
      '2 min 5 s',
    ]);
  });
});
