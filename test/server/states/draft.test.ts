import { expect } from 'chai';
import {
  calls,
  expectRefused,
  gatedEvals,
  openGate,
  serveGated,
  startAndWait,
  statuses,
  untilState,
  whenImporting,
} from './gated-project.js';

const configs = { 'assay.yaml': 'configs:\n  thorough:\n    trials: 3\n' };

describe('the not-started run', () => {
  it('can be read, exported and renamed by its id, and not deleted', async () => {
    const served = await serveGated();
    const { run_id } = await served.active();
    expect((await served.get(`/api/runs/${run_id}/data`)).body).to.include({
      state: 'not_started',
    });
    expect((await served.get(`/api/runs/${run_id}/results/3`)).body).to.include({ total: 4 });
    expect(run_id).to.match(/^[0-9a-f]{12}$/);
    for (const reference of [run_id, 'latest']) {
      const exported = `/api/runs/${reference}/export`;
      expect((await served.get(`${exported}/json`)).body).to.include({ run_id });
      expect((await served.get(`${exported}/csv`)).text).to.include('gated[a]');
      const report = {
        visible_indices: [0],
        visible_columns: ['eval'],
        stats: { total: 4, filtered: 1, avgLatency: 0, chips: [] },
      };
      expect((await served.post(`${exported}/markdown`, report)).status).to.equal(200);
    }
    expect((await served.patch(`/api/runs/${run_id}`, { run_name: ' mine ' })).body).to.deep.equal({
      ok: true,
      run: { run_id, run_name: 'mine' },
    });
    expectRefused(
      await served.delete(`/api/runs/${run_id}`),
      409,
      'has not started; nothing is saved',
    );
    expectRefused(await served.post('/api/runs/regrade', {}), 400);
    openGate(served);
    expect(await served.runAll()).to.include({ run_id, run_name: 'mine' });
  });

  it('has the cases of today after a restart, and keeps its id and name', async () => {
    const served = await serveGated({ cases: ['a'] });
    const before = await served.active();
    served.project.write('a.eval.ts', gatedEvals({ cases: ['a', 'b', 'c'] }));
    const restarted = await served.post('/api/server/restart');
    expect(restarted.body).to.deep.equal({
      ok: true,
      total_evaluations: 3,
      results_dir: served.project.path('.assay/sessions'),
    });
    const after = await served.active();
    expect(after).to.include({ run_id: before.run_id, run_name: before.run_name });
    expect(after.results).to.have.lengthOf(3);
    served.project.write('assay.yaml', 'trials: 2\n');
    expect((await served.post('/api/server/restart')).body.total_evaluations).to.equal(6);
    expect(await served.active()).to.include({ run_id: before.run_id, trials: 2 });
  });

  it('runs what the files hold when it starts, also what came since', async () => {
    const served = await serveGated({ cases: ['a'] });
    served.project.write('a.eval.ts', gatedEvals({ cases: ['a', 'b'] }));
    openGate(served);
    expect(await served.runAll()).to.include({ total_evaluations: 2, total_passed: 2 });
  });

  it('takes up a run config that is selected, and so does the next new run', async () => {
    const served = await serveGated({ cases: ['a'], files: configs });
    expect((await served.get('/api/configs')).body).to.deep.equal({
      names: ['default', 'thorough'],
      active: 'default',
    });
    const before = await served.active();
    const selected = await served.post('/api/configs/select', { name: 'thorough' });
    expect(selected.body).to.deep.equal({ ok: true, active: 'thorough' });
    const after = await served.active();
    expect(after).to.include({
      run_id: before.run_id,
      config_name: 'thorough',
      total_evaluations: 3,
    });
    openGate(served);
    expect(await served.runAll()).to.include({ config_name: 'thorough', total_passed: 3 });
    const next = await served.post('/api/runs/new?wait=true', {});
    expect(next.body.run_name).to.equal('thorough');
    await served.post('/api/configs/select', { name: 'default' });
    await served.post('/api/runs/new?wait=true', {});
    expect(await served.active()).to.include({ config_name: 'default', total_evaluations: 1 });
    expectRefused(await served.post('/api/configs/select', { name: 'none' }), 400, 'none');
  });

  it('is the saved run when a config is selected while it is about to start', async () => {
    const served = await serveGated({ cases: ['a'], files: configs });
    const { run_id } = await served.active();
    served.project.write('hold-import', '');
    const starting = await whenImporting(served, () => served.post('/api/runs/rerun', {}));
    served.project.write('hold-second', '');
    const second = served.read('a.eval.ts').replace("('hold-import')", "('hold-second')");
    served.project.write('a.eval.ts', second);
    const select = () => served.post('/api/configs/select', { name: 'thorough' });
    const selecting = await whenImporting(served, select);
    served.project.remove('hold-import');
    expect((await starting.answered).status).to.equal(200);
    served.project.remove('hold-second');
    expect((await selecting.answered).status).to.equal(200);
    expect(await served.active()).to.include({ run_id, state: 'running' });
    openGate(served);
    expect(await untilState(served, 'finished')).to.include({ run_id, total_passed: 1 });
    const edit = { result: { annotation: 'seen' } };
    expect((await served.patch('/api/runs/latest/results/0', edit)).status).to.equal(200);
  });

  it('starts also while a selected config makes it anew', async () => {
    const served = await serveGated({ cases: ['a'], files: configs });
    const { run_id } = await served.active();
    served.project.write('hold-import', '');
    const select = () => served.post('/api/configs/select', { name: 'thorough' });
    const selecting = await whenImporting(served, select);
    const starting = await whenImporting(served, () => served.post('/api/runs/rerun', {}));
    served.project.remove('hold-import');
    expect((await selecting.answered).status).to.equal(200);
    expect((await starting.answered).status).to.equal(200);
    openGate(served);
    expect(await untilState(served, 'finished')).to.include({ run_id });
  });

  it('takes the name of the next run at once; without it, the next new run has it', async () => {
    const served = await serveGated({ cases: ['a'] });
    const named = await served.put('/api/pending-run-name', { run_name: ' first ' });
    expect(named.body).to.deep.equal({ ok: true, run_name: 'first' });
    expect(await served.active()).to.include({ run_name: 'first' });
    expectRefused(await served.put('/api/pending-run-name', { run_name: '  ' }), 400);
    const { run_id } = await startAndWait(served, {}, 1);
    await served.patch(`/api/runs/${run_id}`, { run_name: 'renamed' });
    await served.put('/api/pending-run-name', { run_name: 'second' });
    openGate(served);
    expect(await untilState(served, 'finished')).to.include({ run_id, run_name: 'renamed' });
    const names: string[] = [];
    for (const body of [{ run_name: 'given' }, {}, {}]) {
      names.push((await served.post('/api/runs/new?wait=true', body)).body.run_name);
    }
    expect(names.slice(0, 2)).to.deep.equal(['given', 'second']);
    expect(names[2]).to.match(/^[a-z]+-[a-z]+$/);
  });

  it('becomes a new run of chosen results, in the session of the active one', async () => {
    const served = await serveGated({ session: 'feature/x' });
    const draft = await served.active();
    openGate(served);
    const { body } = await served.post('/api/runs/new?wait=true', { indices: [2] });
    expect(body.run_id).not.to.equal(draft.run_id);
    const run = await served.active();
    expect(run).to.include({ run_id: body.run_id, session_name: 'feature/x' });
    expect(statuses(run)).to.deep.equal(['not_started', 'not_started', 'completed', 'not_started']);
  });

  it('starts nothing for an index that it has not, and nothing for no indices', async () => {
    const served = await serveGated();
    for (const path of ['/api/runs/rerun', '/api/runs/new', '/api/runs/regrade']) {
      expectRefused(await served.post(path, { indices: [0, 4] }), 400);
    }
    const { status } = await served.post('/api/runs/rerun', { indices: [] });
    expect(status).to.equal(200);
    expect(await served.active()).to.include({ state: 'not_started' });
    expect(calls(served)).to.deep.equal([]);
    const other = await served.post('/api/runs/new?wait=true', { indices: [] });
    expect(other.status, other.text).to.equal(200);
    expect(calls(served)).to.deep.equal([]);
    expect(await served.active()).to.include({ run_id: other.body.run_id, state: 'finished' });
  });
});

describe('a restart', () => {
  it('leaves a saved run the active one, and takes up another results directory', async () => {
    const served = await serveGated({ cases: ['a'] });
    openGate(served);
    const { run_id } = await served.runAll();
    await served.post('/api/server/restart');
    expect(await served.active()).to.include({ run_id, state: 'finished' });
    await served.put('/api/config', { results_dir: 'elsewhere' });
    expect((await served.get('/api/sessions')).body.sessions).to.deep.equal(['default']);
    expect((await served.post('/api/server/restart')).status).to.equal(200);
    expect((await served.get('/api/sessions')).body.sessions).to.deep.equal([]);
    expectRefused(await served.get(`/api/runs/${run_id}/data`), 404);
    expect(await served.active()).to.include({ state: 'not_started' });
    const moved = await served.runAll();
    expect(served.project.has(`elsewhere/default/${moved.run_id}/run.json`)).to.equal(true);
  });

  it('while nothing can be imported yet ends when the server does', async () => {
    const served = await serveGated();
    served.project.write('hold-import', '');
    const restart = () => served.post('/api/server/restart').catch(() => undefined);
    const restarting = await whenImporting(served, restart);
    await served.close();
    await restarting.answered;
  });

  it('keeps a start that comes meanwhile from being lost', async () => {
    const served = await serveGated({ cases: ['a'] });
    served.project.write('hold-import', '');
    const restarting = await whenImporting(served, () => served.post('/api/server/restart'));
    const starting = await whenImporting(served, () => served.post('/api/runs/rerun', {}));
    served.project.remove('hold-import');
    expect((await restarting.answered).status).to.equal(200);
    const started = await starting.answered;
    expect(started.status, started.text).to.equal(200);
    openGate(served);
    const run = await untilState(served, 'finished');
    expect(run).to.include({ run_id: started.body.run_id, total_passed: 1 });
    await startAndWait(served, {}, 0);
  });
});
