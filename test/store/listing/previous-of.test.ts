import { expect } from 'chai';
import { caseSample, sharedCases } from '../../../src/store/listing/case-sample.js';
import { previousOf, runsBefore } from '../../../src/store/listing/previous-of.js';
import { comparableOf, type ListedRun } from '../../../src/store/listing/run-json.js';
import type { BegunExecution } from '../../../src/store/run-owner.js';
import { rowFacts } from '../../model/row-facts.js';
import { finished, newRun, plan, temporaryStore } from '../builders.js';

const rows = (from: number, to: number, more = {}) =>
  Array.from({ length: to - from }, (_, n) => rowFacts({ id: `a::case[${from + n}]`, ...more }));
const sample = (from: number, to: number) => caseSample(rows(from, to));

describe('the cases that two runs share', () => {
  it('are counted exactly up to 512, as a part of those of both', () => {
    expect(sharedCases(sample(0, 10), sample(0, 10))).to.equal(1);
    expect(sharedCases(sample(0, 8), sample(0, 10))).to.equal(0.8);
    expect(sharedCases(sample(0, 450), sample(50, 500))).to.equal(0.8);
    expect(sharedCases(sample(0, 3), sample(3, 6))).to.equal(0);
    expect(sharedCases(sample(0, 0), sample(0, 0))).to.equal(0);
  });

  it('are estimated above', () => {
    expect(sharedCases(sample(0, 40_000), sample(0, 40_000))).to.equal(1);
    expect(sharedCases(sample(0, 40_000), sample(0, 20_000))).to.be.closeTo(0.5, 0.06);
    expect(sharedCases(sample(0, 4_000), sample(400, 4_400))).to.be.closeTo(9 / 11, 0.05);
    expect(sharedCases(sample(0, 500), sample(0, 1_000))).to.be.closeTo(0.5, 0.06);
  });

  it('are cases and not trials, without what is pruned or was not asked for', () => {
    const trials = [1, 2].map((trial) =>
      rowFacts({ id: `a::case[0]~${trial}`, trial_of: 'a::case[0]' }),
    );
    const others = [...rows(5, 6, { pruned: true }), ...rows(6, 7, { status: 'not_started' })];
    expect(caseSample([...trials, ...others])).to.deep.equal(sample(0, 1));
  });
});

const listed = (run_id: string, more: Partial<ListedRun> = {}, cases = rows(0, 10), params = 'p') =>
  ({
    ...{ run_id, config_name: 'nano', state: 'finished' },
    comparable: comparableOf(cases, params),
    ...more,
  }) as ListedRun;

describe('the run before', () => {
  const run = listed('run');
  const idBefore = (...earlier: ListedRun[]) => previousOf([run, ...earlier], 'run').run?.run_id;

  it('is the newest finished one of the same config, params and cases', () => {
    const other = [
      listed('other config', { config_name: 'default' }),
      listed('other params', {}, rows(0, 10), 'q'),
      listed('other cases', {}, rows(3, 13)),
      listed('running', { state: 'running' }),
      listed('stopped', {}, [...rows(0, 9), ...rows(9, 10, { status: 'cancelled' })]),
      listed('of an older version', { comparable: undefined }),
    ];
    expect(idBefore(...other)).to.equal(undefined);
    expect(idBefore(...other, listed('enough', {}, rows(0, 8)), listed('older'))).to.equal(
      'enough',
    );
  });

  it('is none, with the reason', () => {
    const why = (...earlier: ListedRun[]) => previousOf([run, ...earlier], 'run');
    expect(why()).to.deep.equal({ why: 'no earlier run of config nano' });
    expect(why(listed('b', { config_name: 'default' }))).to.deep.equal(why());
    expect(why(listed('b', {}, rows(0, 10), 'q'))).to.deep.equal({
      why: 'no earlier run of config nano has the same params',
    });
    expect(why(listed('b', {}, rows(0, 7)))).to.deep.equal({
      why: 'no earlier run of config nano shares 80 % of the cases',
    });
    expect(previousOf([run], 'draft')).to.deep.equal({ why: 'it has not started' });
  });

  it('joins a trend, whatever ran in between', () => {
    const runs = [
      run,
      listed('x', { config_name: 'default' }),
      listed('b'),
      listed('y', {}, rows(20, 30)),
      listed('a'),
    ];
    expect([...runsBefore(runs, run)].map(({ run_id }) => run_id)).to.deep.equal(['run', 'b', 'a']);
  });

  describe('has the params of the attempts that count', () => {
    const paramsAfter = async (...executions: readonly BegunExecution[]) => {
      const store = await temporaryStore();
      const owner = await store.createRun(newRun());
      owner.plan([plan(0), plan(1)]);
      for (const execution of executions) {
        owner.schedule(execution);
        if (execution.kind !== 'regrade') {
          const rows = execution.rows === 'all' ? [0, 1] : execution.rows;
          owner.finish(rows.map((index) => finished(index)));
        }
      }
      await owner.close('finished');
      await owner.run.close();
      const [run] = await store.listRuns();
      return run?.comparable?.params;
    };
    const run = { kind: 'run', rows: 'all', params: 'p' } as const;
    const again = { kind: 'rerun', params: 'q' } as const;

    it('not those of repeats', async () => {
      expect(await paramsAfter(run, { ...again, rows: [0] })).to.equal('p');
    });

    it('those of the last pass', async () => {
      expect(await paramsAfter(run, { ...again, rows: [0, 1], newPass: [0, 1] })).to.equal('q');
    });

    it('all of them, if they differ', async () => {
      expect(await paramsAfter(run, { ...again, rows: [0], newPass: [0] })).to.equal('p+q');
      const first = { kind: 'run', rows: [0], params: 'p' } as const;
      expect(await paramsAfter(first, { kind: 'resume', rows: [1], params: 'q' })).to.equal('p+q');
      const regrade = { kind: 'regrade', rows: 'all', newPass: [0, 1], params: 'q' } as const;
      expect(await paramsAfter(run, regrade)).to.equal('p+q');
    });

    it('those of the run where all results are taken over from another one', async () => {
      const taken = async (...later: readonly BegunExecution[]) => {
        const store = await temporaryStore();
        const owner = await store.createRun(newRun());
        owner.plan([plan(0)]);
        owner.schedule({ kind: 'run', rows: [], params: 'p' });
        owner.restore([{ ...finished(0), annotation: '', correction_history: [] }]);
        for (const execution of later) owner.schedule(execution);
        await owner.close('finished');
        await owner.run.close();
        const [run] = await store.listRuns();
        return run?.comparable?.params;
      };
      expect(await taken()).to.equal('p');
      const regrade = { kind: 'regrade', rows: 'all', newPass: [0], params: 'q' } as const;
      expect(await taken(regrade)).to.equal('p+q');
    });

    it('none where some are not known', async () => {
      const old = { kind: 'run', rows: [0] } as const;
      expect(await paramsAfter(old, { ...again, rows: [1], newPass: [1] })).to.equal(undefined);
    });
  });

  it('is known from what runs save', async () => {
    const store = await temporaryStore();
    const ids: string[] = [];
    for (const [at, params] of ['p', 'q', 'p'].entries()) {
      const owner = await store.createRun(newRun({ created_at_ms: at + 1 }));
      owner.plan([plan(0)]);
      owner.schedule({ kind: 'run', rows: 'all', params });
      owner.finish([finished(0)]);
      await owner.close('finished');
      await owner.run.close();
      ids.push(owner.run.runId);
    }
    const [first, , last = ''] = ids;
    expect(previousOf(await store.listRuns(), last).run?.run_id).to.equal(first);
    const [session] = await store.listSessions();
    expect(session?.recent.map(({ run_id }) => run_id)).to.deep.equal([last, first]);
  });
});
