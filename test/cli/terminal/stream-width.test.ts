import { expect } from 'chai';
import { streamWidth } from '../../../src/cli/terminal/stream-width.js';

describe('streamWidth', () => {
  it('is the width of the terminal, however wide that is', () => {
    expect(streamWidth({ isTTY: true, columns: 320 }, { COLUMNS: '90' })).to.equal(320);
    expect(streamWidth({ isTTY: true, columns: 20 }, {})).to.equal(60);
  });

  it('is 80 columns on a terminal that does not say', () => {
    expect(streamWidth({ isTTY: true, columns: 0 }, {})).to.equal(80);
  });

  it('is what COLUMNS says in a pipe, and without it there is no limit', () => {
    expect(streamWidth({}, { COLUMNS: '90' })).to.equal(90);
    for (const COLUMNS of [undefined, '', '0', '-1', 'wide']) {
      expect(streamWidth({}, { COLUMNS })).to.equal(Number.POSITIVE_INFINITY);
    }
  });
});
