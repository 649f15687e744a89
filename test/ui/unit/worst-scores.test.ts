import { expect } from 'chai';
import type { IntervalChip } from '../../../ui/src/api/schema.js';
import { rangeText, worstScores } from '../../../ui/src/dashboard/summary/score-lines.js';

const interval = { low: null, high: null };
const ratio = (key: string, passed: number): IntervalChip => ({
  key,
  type: 'ratio',
  passed,
  total: 100,
  interval,
});
const keys = (chips: readonly IntervalChip[]) => chips.map(({ key }) => key).join('');

describe('the worst scores', () => {
  const many = [...'abcdefghijkl'].map((key, n) => ratio(key, 99 - n));
  const tokens: IntervalChip = { key: 't', type: 'avg', avg: 412, count: 9, interval };

  it('are all of them, as they come, while they are few', () => {
    const few = many.slice(0, 8);
    expect(worstScores(few, new Set())).to.deep.equal({ worst: few, others: [] });
  });

  it('are the eight with the lowest share, and values without a scale come last', () => {
    const { worst, others } = worstScores([tokens, ...many], new Set());
    expect([keys(worst), keys(others)]).to.deep.equal(['lkjihgfe', 'dcbat']);
    expect(rangeText(others)).to.equal('96.0 % to 99.0 %');
  });

  it('say one share once', () => {
    expect(rangeText(['a', 'b'].map((key) => ratio(key, 100)))).to.equal('100.0 %');
  });

  it('have those among them that moved beyond chance', () => {
    const { worst, others } = worstScores([tokens, ...many], new Set(['a', 't']));
    expect([keys(worst), keys(others)]).to.deep.equal(['lkjihgat', 'fedcb']);
  });
});
