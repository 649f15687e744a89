import { expect } from 'chai';
import type { IntervalChip } from '../../../ui/src/api/schema.js';
import {
  rangeText,
  scoreLines,
  worstScores,
} from '../../../ui/src/dashboard/summary/score-lines.js';

const interval = { low: null, high: null };

describe('lines of scores', () => {
  it('have p50 and p95 of unbounded values, and below them the share that passed', () => {
    const lines = scoreLines([
      {
        key: 'tokens',
        type: 'avg',
        avg: 900,
        count: 40,
        interval,
        passed: 30,
        threshold: 500,
        better: 'lower',
        passed_interval: { low: 0.6, high: 0.86 },
        percentiles: { p50: 412, p95: 1820 },
      },
      { key: 'tone', type: 'avg', avg: 0.8, count: 40, interval: { low: 0.7, high: 0.9 } },
    ]);
    expect(lines.map(({ kind }) => kind)).to.deep.equal(['percentiles', 'threshold', 'mean']);
    expect(lines[0]).to.include({
      value: '412',
      of: 'p50 of 40, p95 1,820',
      bounds: 'unbounded values',
    });
    expect(lines[1]).to.include({ value: '75.0 %', of: '30 / 40' });
    expect(lines[2]).to.include({ value: '0.8', of: 'mean of 40', bounds: '0.7–0.9' });
  });

  it('have the counts where the value is if they say no share', () => {
    const [verdicts, values] = scoreLines(
      [
        { key: 'exact', type: 'ratio', passed: 4, total: 113, interval },
        { key: 'tone', type: 'avg', avg: 0.8, count: 40, interval },
      ],
      true,
    );
    expect(verdicts).to.include({ isCount: true, value: '4 / 113', of: '', bounds: '' });
    expect(values).to.include({ value: '40 valued', of: '' });
  });

  it('place a mean and its interval on a declared scale', () => {
    const [judge, cosine] = scoreLines([
      {
        key: 'judge',
        type: 'avg',
        avg: 60,
        count: 40,
        scale: [0, 100],
        interval: { low: 50, high: 75 },
      },
      { key: 'cosine', type: 'avg', avg: -0.5, count: 40, scale: [-1, 1], interval },
    ]);
    expect(judge).to.deep.include({
      kind: 'mean',
      level: 0.6,
      interval: { low: 0.5, high: 0.75 },
      bounds: '50–75',
      value: '60',
      of: 'mean of 40, on 0 to 100',
    });
    expect(cosine).to.deep.include({ level: 0.25, interval, of: 'mean of 40, on -1 to 1' });
  });

  it('have the values beside verdicts that an evaluator gave', () => {
    const values = { avg: 3.5, count: 40 };
    const values_interval = { low: 3, high: 4 };
    const rating = { key: 'rating', type: 'ratio', passed: 30, total: 40, interval } as const;
    const [share, value] = scoreLines([{ ...rating, values, values_interval }]);
    expect(share).to.include({ name: 'rating', isSecond: false, value: '75.0 %' });
    const mean = { value: '3.5', of: 'mean of 40', bounds: '3–4' };
    expect(value).to.include({ key: 'rating', name: '(value)', isSecond: true, ...mean });
  });
});

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
