import { expect } from 'chai';
import { shareWidths } from '../../../src/cli/terminal/table.js';

describe('shareWidths', () => {
  it('gives every column what it needs when there is room', () => {
    const columns = [
      { natural: 10, weight: 1 },
      { natural: 5, weight: 2 },
    ];
    expect(shareWidths(columns, 100)).to.deep.equal([10, 5]);
  });

  it('shares what modest columns leave by weight', () => {
    const columns = [
      { natural: 4, weight: 1 },
      { natural: 90, weight: 1 },
      { natural: 90, weight: 2 },
    ];
    expect(shareWidths(columns, 34)).to.deep.equal([4, 10, 20]);
  });

  it('never cuts a column without weight, nor any to nothing', () => {
    const columns = [
      { natural: 12, weight: 0 },
      { natural: 90, weight: 1 },
    ];
    expect(shareWidths(columns, 10)).to.deep.equal([12, 1]);
  });
});
