import { expect } from 'chai';
import { figuresOf } from '../../../src/compare/cases/case-figures.js';
import { casesOf } from '../../../src/compare/cases/group-by-case.js';
import { compareCases } from '../../../src/compare/compare-cases.js';
import type { RowFacts } from '../../../src/model/result.js';
import {
  intervalChips,
  latencyFigures,
  sortedLatencies,
} from '../../../src/model/summary/run-figures.js';
import { summarise } from '../../../src/model/summary/summary.js';
import { wilsonInterval } from '../../../src/statistics/wilson-interval.js';
import { rowFacts, trialRows } from '../../model/row-facts.js';
import { evalCase } from '../eval-cases.js';

describe('figuresOf', () => {
  it('counts what the summary of the run counts', () => {
    const rows = [
      ...trialRows('f', '++-'),
      ...trialRows('g', '+!?'),
      rowFacts({ id: 'h', latency: 3, scores: [{ key: 'size', value: 5 }] }),
      rowFacts({ id: 'i', latency: 1, scores: [{ key: 'size', value: 8 }] }),
      rowFacts({ id: 'j', status: 'cancelled' }),
    ];
    const { verdicts, score_chips: chips } = summarise(rows);
    const figures = figuresOf(casesOf(rows));
    expect(figures).to.deep.include({ units: 5, finished: 4 });
    expect(figures.pass_rate).to.deep.include({ passed: verdicts.passed, total: verdicts.of });
    expect(figures.pass_rate.rate?.estimate).to.equal(verdicts.passed / verdicts.of);
    const asChips = figures.scores.map((figure) =>
      figure.type === 'ratio'
        ? { key: figure.key, type: figure.type, passed: figure.passed, total: figure.total }
        : { key: figure.key, type: figure.type, avg: figure.mean?.estimate, count: figure.count },
    );
    expect(asChips).to.deep.equal(chips);
    expect(figures.latency).to.deep.include({ count: 2, p50: 2 });
  });

  it('has the Wilson interval where there are no trials', () => {
    const rows = ['+', '-', '+', '+'].map((outcome, i) =>
      rowFacts({ id: String(i), scores: [{ key: 'k', passed: outcome === '+' }] }),
    );
    const { pass_rate: rate, scores } = figuresOf(casesOf(rows));
    expect(rate).to.deep.equal({ passed: 3, total: 4, rate: wilsonInterval(3, 4) });
    expect(scores).to.deep.equal([{ key: 'k', type: 'ratio', ...rate }]);
  });

  it('has percentiles of unbounded values over trials, as the run itself', () => {
    const rows = [1, 1, 1, 90, 2, 2].map((value, i) => {
      const trial_of = i < 4 ? 'a' : 'b';
      return rowFacts({ id: `${trial_of}~${i}`, trial_of, scores: [{ key: 'size', value }] });
    });
    const percentiles = { p50: 1.5, p95: 68 };
    const [chip] = intervalChips(rows);
    const [figure] = figuresOf(casesOf(rows)).scores;
    expect(chip).to.deep.include({ percentiles });
    expect(figure).to.deep.include({
      count: 6,
      mean: { estimate: 97 / 6, low: null, high: null },
      percentiles,
    });
  });

  it('has no percentiles where only sums are known', () => {
    const sums = (sum: number) => [{ key: 'size', kind: 'value', sum, count: 3 }] as const;
    const [figure] = figuresOf([evalCase('a', { trials: 3, scores: sums(40) })]).scores;
    expect(figure).to.deep.include({ percentiles: { p50: null, p95: null } });
    const [ratings] = figuresOf([evalCase('a', { trials: 3, scores: sums(11) })]).scores;
    expect(ratings).not.to.have.property('percentiles');
  });

  it('has percentiles of latency over attempts, as the run itself', () => {
    const latencies = [1, 1, 1, 9, 2, 2];
    const rows = latencies.map((latency, i) =>
      rowFacts({ id: `${i < 4 ? 'a' : 'b'}~${i}`, trial_of: i < 4 ? 'a' : 'b', latency }),
    );
    const { latency } = figuresOf(casesOf(rows));
    expect(latency).to.deep.include(latencyFigures(sortedLatencies(rows)));
    expect(latency).to.deep.include({ count: 6, p50: 1.5, p95: 7.25 });
    const summary = compareCases(casesOf(rows), casesOf(rows)).summary.latency;
    expect(summary.p95).to.deep.equal({ base: 7.25, other: 7.25 });
    expect(summary).to.deep.include({ base: 2.5, median: 0 });
  });

  it('is empty of figures where nothing has finished', () => {
    expect(figuresOf([evalCase('a', { trials: 0 })])).to.deep.equal({
      units: 1,
      finished: 0,
      pass_rate: { passed: 0, total: 0, rate: null },
      scores: [],
      latency: { count: 0, p5: null, p50: null, p95: null },
    });
  });

  it('says when the trials of all cases are alike in output and scores', () => {
    const figures = (...facts: Partial<RowFacts>[][]) =>
      figuresOf(
        casesOf(
          facts.flatMap((trials, n) =>
            trialRows(`c${n}`, '+'.repeat(trials.length)).map((row, at) => ({
              ...row,
              outputHash: `${n}`,
              ...trials[at],
            })),
          ),
        ),
      );
    const failed = { scores: [{ key: 'correctness', passed: false }] };
    const graded = (value: number) => ({ scores: [{ key: 'judge', value }] });
    expect(figures([{}, {}], [{}, {}, {}]).trials_alike).to.equal(true);
    expect(figures([failed, failed], [{}]).trials_alike).to.equal(true);
    for (const moved of [
      [{}, { outputHash: 'other' }],
      [{}, { outputHash: undefined }],
      [{}, failed],
      [graded(1), graded(0.5)],
    ]) {
      expect(figures([{}, {}], moved)).not.to.have.property('trials_alike');
    }
    expect(figures([{}], [{}])).not.to.have.property('trials_alike');
  });
});
