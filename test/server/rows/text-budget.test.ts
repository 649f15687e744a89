import { expect } from 'chai';
import { TextBudget, type TextHolder } from '../../../src/server/rows/text-budget.js';

class Holder implements TextHolder {
  bytes: number;
  usedAt: number;
  busy: boolean;

  constructor(bytes: number, usedAt: number, busy = false) {
    this.bytes = bytes;
    this.usedAt = usedAt;
    this.busy = busy;
  }

  clear(): void {
    this.bytes = 0;
  }
}

describe('TextBudget', () => {
  it('leaves everything as it is while there is room', () => {
    const budget = new TextBudget(100);
    const holder = new Holder(60, 1);
    budget.add(holder);
    expect(budget.makeRoom(40)).to.equal(true);
    expect(holder.bytes).to.equal(60);
  });

  it('clears what was not used for longest first', () => {
    const budget = new TextBudget(100);
    const holders = [new Holder(40, 2), new Holder(30, 1), new Holder(30, 3)];
    for (const holder of holders) budget.add(holder);
    expect(budget.makeRoom(50)).to.equal(true);
    expect(holders.map(({ bytes }) => bytes)).to.deep.equal([0, 0, 30]);
  });

  it('takes nothing from who is at work', () => {
    const budget = new TextBudget(100);
    const busy = new Holder(80, 1, true);
    budget.add(busy);
    expect(budget.makeRoom(30)).to.equal(false);
    expect(busy.bytes).to.equal(80);
  });
});
