import { expect } from 'chai';
import type { RunSummary } from '../../../ui/src/api/schema.js';
import { changeOf, historyOf, levelOf } from '../../../ui/src/dashboard/summary/score-history.js';

const ratio = (passed: number, total: number) =>
  ({ key: 'exact', type: 'ratio', passed, total }) as const;
const mean = (avg: number) => ({ key: 'size', type: 'avg', avg, count: 10 }) as const;

function run(run_id: string, ...score_chips: RunSummary['score_chips']): RunSummary {
  return {
    run_id,
    run_name: run_id,
    total_evaluations: 10,
    total_passed: 5,
    total_errors: 0,
    timestamp: 0,
    started_at: 0,
    updated_at: 0,
    state: 'finished',
    config_name: 'default',
    score_chips,
    pass_rate: null,
    previous: null,
  };
}

describe('score history', () => {
  it('ends at the run that is asked for, the oldest first', () => {
    const runs = [run('d', ratio(4, 4)), run('c', ratio(3, 4)), run('b', ratio(2, 4)), run('a')];
    const levels = historyOf(runs, 'c', 12).map((chips) => {
      const chip = chips.get('exact');
      return chip && levelOf(chip);
    });
    expect(levels).to.deep.equal([0.5, 0.75]);
  });

  it('takes so many runs and no more', () => {
    const runs = ['e', 'd', 'c', 'b', 'a'].map((id) => run(id, ratio(1, 2)));
    expect(historyOf(runs, 'e', 3)).to.have.length(3);
    expect(historyOf(runs, 'unknown', 3)).to.deep.equal([]);
  });

  it('a change beyond chance has a verdict, a smaller one has none', () => {
    expect(changeOf(ratio(900, 1000), ratio(800, 1000))).to.deep.equal({
      text: '−10.0',
      verdict: 'worse',
    });
    expect(changeOf(ratio(50, 100), ratio(90, 100))?.verdict).to.equal('better');
    expect(changeOf(ratio(9, 10), ratio(8, 10))).to.deep.equal({ text: '−10.0', verdict: 'same' });
    expect(changeOf(ratio(1, 2), ratio(1, 2))?.text).to.equal('0.0');
  });

  it('a mean is told in its own unit, without a verdict', () => {
    expect(changeOf(mean(0.87), mean(0.888))).to.deep.equal({ text: '+.018', verdict: 'same' });
  });

  it('nothing is said where there is nothing to compare', () => {
    expect(changeOf(undefined, ratio(1, 2))).to.equal(undefined);
    expect(changeOf(ratio(1, 2), mean(1))).to.equal(undefined);
  });
});
