import { expect } from 'chai';
import { renderNumber } from '../../src/text/number-text.js';

describe('renderNumber', () => {
  it('has few digits, however large or small the number is', () => {
    expect(
      [12_345.678_9, 999e12, 4.5e15, -1.234_567e18, 1e21, 4.567_8e-9, 0].map(renderNumber),
    ).to.deep.equal([
      '12,345.679',
      '999,000,000,000,000',
      '4.5e+15',
      '-1.23e+18',
      '1e+21',
      '4.57e-9',
      '0',
    ]);
  });
});
