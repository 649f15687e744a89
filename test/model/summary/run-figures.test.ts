import { expect } from 'chai';
import { intervalChips } from '../../../src/model/summary/run-figures.js';
import { scoreScales } from '../../../src/model/summary/score-values.js';
import { percentile } from '../../../src/statistics/percentile.js';
import { rowFacts } from '../row-facts.js';

const noBounds = { low: null, high: null };

function rowsOf(values: readonly number[], facts: { threshold?: number } = {}) {
  const { threshold } = facts;
  return values.map((value, i) =>
    rowFacts({
      id: `${i}`,
      scores: [
        {
          key: 'size',
          value,
          ...(threshold !== undefined && { threshold, passed: value >= threshold }),
        },
      ],
    }),
  );
}

function chipOf(values: readonly number[], facts: { threshold?: number } = {}) {
  const rows = rowsOf(values, facts);
  return averageOf(rows);
}

function averageOf(...given: Parameters<typeof intervalChips>) {
  const [chip] = intervalChips(...given);
  return chip?.type === 'avg' ? chip : undefined;
}

const grades = Array.from({ length: 50 }, (_, i) => (i % 5) / 4);

describe('intervalChips', () => {
  it('gives the mean of grades and of ratings an interval, and no percentiles', () => {
    for (const values of [grades, grades.map((one) => one * 4 + 1), grades.map((x) => x * 8 + 2)]) {
      const chip = chipOf(values);
      expect(chip?.interval.low).to.be.a('number');
      expect(chip?.interval.high).to.be.a('number');
      expect(chip).not.to.have.property('percentiles');
    }
  });

  it('gives other values p50 and p95 over all results in place of an interval of the mean', () => {
    for (const far of [60, 11, 1.01, -1, 2.5]) {
      const values = [...grades, far];
      const sorted = [...values].sort((a, b) => a - b);
      const chip = chipOf(values);
      expect(chip, `${far}`).to.deep.include({ type: 'avg', count: 51, interval: noBounds });
      expect(chip?.percentiles).to.deep.equal({
        p50: percentile(sorted, 0.5),
        p95: percentile(sorted, 0.95),
      });
    }
  });

  it('takes each trial by itself for percentiles, and leaves pruned results out', () => {
    const rows = [1, 2, 3, 100].map((value, i) =>
      rowFacts({ id: `a~${i}`, trial_of: 'a', trial: i + 1, scores: [{ key: 'size', value }] }),
    );
    const pruned = { ...rowFacts({ scores: [{ key: 'size', value: 1e6 }] }), pruned: true };
    const chip = averageOf([...rows, pruned]);
    expect(chip?.percentiles?.p50).to.equal(2.5);
    expect(chip?.percentiles?.p95).to.be.closeTo(85.45, 1e-9);
    const bounded = averageOf([...rowsOf(grades), pruned]);
    expect(bounded?.interval.low).to.be.a('number');
  });

  it('takes a part of a run for what the whole run is', () => {
    const rows = rowsOf([...grades, 60]);
    const part = rows.slice(0, 50);
    const scales = scoreScales(rows);
    const chip = averageOf(part, scales);
    expect(chip).to.deep.include({ count: 50, interval: noBounds });
    expect(chip?.percentiles?.p50).to.equal(0.5);
    const [first] = rows;
    const pruned = first && [{ ...first, scores: [{ key: 'size', value: 60 }], pruned: true }];
    expect(scoreScales([...part, ...(pruned ?? [])]).get('size')).to.deep.equal({
      low: 0,
      high: 1,
    });
  });

  it('keeps the interval of the share that passed beside percentiles', () => {
    const chip = chipOf([...grades, 60], { threshold: 1 });
    expect(chip).to.deep.include({ interval: noBounds, passed: 11, threshold: 1 });
    expect(chip?.percentiles?.p50).to.equal(0.5);
    expect(chip?.passed_interval?.low).to.be.within(0.1, 0.22);
  });

  it('has neither for grades so close that one far value would move the mean by a standard error', () => {
    const close = Array.from({ length: 50 }, (_, i) => 0.8 + (i % 11) / 100);
    const chip = chipOf(close);
    expect(chip?.interval).to.deep.equal(noBounds);
    expect(chip).not.to.have.property('percentiles');
    expect(chipOf([...close.slice(1), 0])?.interval.low).to.be.within(0.7, 0.8);
  });
});
