import { expect } from 'chai';
import type { RunSummary } from '../../../ui/src/api/schema.js';
import { historyOf, levelsOf } from '../../../ui/src/dashboard/summary/score-lines.js';

const ratio = (passed: number, total: number) =>
  ({ key: 'exact', type: 'ratio', passed, total }) as const;

/** `ba`: the run b, with a before it. */
function run(ids: string, ...score_chips: RunSummary['score_chips']): RunSummary {
  const [run_id = '', before] = ids;
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
    previous: before === undefined ? null : ({ run_id: before } as RunSummary['previous']),
  };
}

describe('score history', () => {
  it('ends at the run that is asked for, the oldest first, and leaves out runs of another kind', () => {
    const runs = [
      ...[run('dc', ratio(4, 4)), run('cb', ratio(3, 4)), run('x', ratio(0, 4))],
      ...[run('ba', ratio(2, 4)), run('a')],
    ];
    const chips = historyOf(runs, 'c', 12).map((one) => one.get('exact'));
    expect(levelsOf(chips)).to.deep.equal([0.5, 0.75]);
  });

  it('is of the attempts that count', () => {
    const repeated = { ...run('a', ratio(4, 4)), counted_chips: [ratio(1, 4)] };
    const [chips] = historyOf([repeated], 'a', 12);
    expect(levelsOf([chips?.get('exact')])).to.deep.equal([0.25]);
  });

  it('is of p50 where values are unbounded, and of no run that shows a mean', () => {
    const average = { key: 'tokens', type: 'avg', avg: 900, count: 4 } as const;
    const far = (p50: number) => ({ ...average, percentiles: { p50, p95: 2000 } });
    expect(levelsOf([average, undefined, far(410), far(412)])).to.deep.equal([
      undefined,
      undefined,
      410,
      412,
    ]);
    expect(levelsOf([far(410), { ...average, avg: 0.4 }, undefined])).to.deep.equal([
      undefined,
      0.4,
      undefined,
    ]);
  });

  it('takes so many runs and no more', () => {
    const runs = ['ed', 'dc', 'cb', 'ba', 'a'].map((id) => run(id, ratio(1, 2)));
    expect(historyOf(runs, 'e', 3)).to.have.length(3);
    expect(historyOf(runs, 'unknown', 3)).to.deep.equal([]);
  });
});
