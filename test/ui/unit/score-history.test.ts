import { expect } from 'chai';
import type { RunSummary } from '../../../ui/src/api/schema.js';
import { historyOf, levelOf } from '../../../ui/src/dashboard/summary/score-history.js';

const ratio = (passed: number, total: number) =>
  ({ key: 'exact', type: 'ratio', passed, total }) as const;

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
});
