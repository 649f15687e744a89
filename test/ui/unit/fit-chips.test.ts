import { expect } from 'chai';
import { fitChips } from '../../../ui/src/components/scores/fit-chips.js';

const chip = (text: string) => ({ text, icons: 1 });

describe('the chips of a row', () => {
  it('all stand where they have room', () => {
    expect(fitChips([chip('exact'), chip('grounded')], 262)).to.equal(2);
    expect(fitChips([], 0)).to.equal(0);
  });

  it('leave room for the number of those that do not fit', () => {
    const chips = [chip('exact'), chip('tool_calls'), chip('grounded'), chip('politeness')];
    expect(fitChips(chips, 262)).to.equal(3);
    expect(fitChips(chips, 212)).to.equal(2);
    expect(fitChips(chips, 40)).to.equal(0);
  });
});
