import { expect } from 'chai';
import { RowSlots } from '../../../ui/src/dashboard/table/scrolling/row-slots.js';

describe('the slots of rows', () => {
  it('are kept while a line is in sight, and given on when it has gone', () => {
    const slots = new RowSlots();
    expect(slots.assign([0, 1, 2, 3])).to.deep.equal([0, 1, 2, 3]);
    expect(slots.assign([2, 3, 4, 5])).to.deep.equal([2, 3, 0, 1]);
    expect(slots.assign([2, 3, 4, 5])).to.deep.equal([2, 3, 0, 1]);
    expect(slots.assign([900, 901, 902])).to.deep.equal([0, 1, 2]);
  });

  it('are never the same for two lines, wherever the one with the focus is', () => {
    const slots = new RowSlots();
    for (let first = 0; first < 5000; first += 37) {
      const given = slots.assign([3, ...Array.from({ length: 40 }, (_, n) => first + 10 + n)]);
      expect(new Set(given).size).to.equal(given.length);
      expect(given[0]).to.equal(0);
      expect(Math.max(...given)).to.be.below(41);
    }
  });
});
