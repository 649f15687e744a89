import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';
import { changingProject, mixedEvals, runIdPattern, statusesOf } from './evals.js';

const broken = `import './nothing-there.js';\n`;

describe('the contract: a run that has not started', () => {
  let served: ServedProject;

  before(async () => {
    served = await ServedProject.start({ 'mixed.eval.mjs': mixedEvals });
  });

  it('shows what was discovered', async () => {
    const run = await served.active();
    expect(run.run_id).to.match(runIdPattern);
    expect(run.state).to.equal('not_started');
    expect(statusesOf(run)).to.deep.equal(Array(4).fill('not_started'));
  });

  it('is read by its id and as latest, whole and result by result', async () => {
    const { run_id } = await served.active();
    for (const reference of [run_id, 'latest']) {
      expect((await served.get(`/api/runs/${reference}/data`)).body.run_id).to.equal(run_id);
      const { body } = await served.get(`/api/runs/${reference}/results/3`);
      expect(body).to.include({ run_id, index: 3, total: 4 });
    }
  });

  it('is exported in every format', async () => {
    const { run_id } = await served.active();
    expect((await served.get('/api/runs/latest/export/json')).body).to.include({ run_id });
    expect((await served.get('/api/runs/latest/export/csv')).text).to.include('graded[good]');
    const { status } = await served.post('/api/runs/latest/export/markdown', {
      visible_indices: [0],
      visible_columns: ['eval'],
      stats: { total: 4, filtered: 1, avgLatency: 0, chips: [] },
    });
    expect(status).to.equal(200);
  });

  it('is renamed', async () => {
    const { run_id } = await served.active();
    const { body } = await served.patch(`/api/runs/${run_id}`, { run_name: 'early name' });
    expect(body).to.deep.equal({ ok: true, run: { run_id, run_name: 'early name' } });
    expect((await served.active()).run_name).to.equal('early name');
  });

  it('is in no listing and not on the disk', async () => {
    expect((await served.get('/api/sessions')).body.sessions).to.deep.equal([]);
    expect((await served.get('/api/sessions/default/runs')).body.runs).to.deep.equal([]);
    const { stdout } = await served.project.assay(['sessions', '--json']);
    expect(stdout).to.not.include((await served.active()).run_id);
  });

  it('answers 409 to an edit of a result, and 404 when there is no such result', async () => {
    const result = { annotation: 'too early' };
    expect((await served.patch('/api/runs/latest/results/0', { result })).status).to.equal(409);
    expect((await served.patch('/api/runs/latest/results/4', { result })).status).to.equal(404);
    expect((await served.active()).results[0].result.annotation).to.equal('');
  });

  it('answers 404 to its deletion and stays', async () => {
    const { run_id } = await served.active();
    expect((await served.delete(`/api/runs/${run_id}`)).status).to.equal(404);
    expect((await served.active()).run_id).to.equal(run_id);
  });

  it('is saved when it starts, under the id and name that it has', async () => {
    const { run_id, run_name } = await served.active();
    await served.runAll();
    const { runs } = (await served.get('/api/sessions/default/runs')).body;
    expect(runs).to.have.length(1);
    expect(runs[0]).to.include({ run_id, run_name, state: 'finished' });
  });
});

describe('the contract: some of a run that has not started', () => {
  it('run alone when indices name them; the others stay not_started and run later', async () => {
    const served = await ServedProject.start(changingProject);
    await served.post('/api/runs/rerun?wait=true', { indices: [1] });
    const run = await served.active();
    expect(statusesOf(run)).to.deep.equal(['not_started', 'completed', 'not_started']);
    expect(run.selected_total).to.equal(1);
    await served.post('/api/runs/rerun?wait=true', {});
    expect(statusesOf(await served.active())).to.deep.equal(Array(3).fill('completed'));
  });
});

describe('the contract: discovery errors', () => {
  let served: ServedProject;

  before(async () => {
    served = await ServedProject.start({
      'broken.eval.mjs': broken,
      'mixed.eval.mjs': mixedEvals,
    });
  });

  it('are in discovery_error of the active run, beside what could be imported', async () => {
    const run = await served.active();
    expect(run.discovery_error).to.be.a('string').and.include('broken.eval.mjs');
    expect(run.discovery_error).to.include('nothing-there.js');
    expect(run.total_evaluations).to.equal(4);
  });

  it('are with the active run under latest and under its id, and in no export', async () => {
    const { run_id, discovery_error } = await served.active();
    for (const reference of ['latest', run_id]) {
      const { body } = await served.get(`/api/runs/${reference}/data`);
      expect(body.discovery_error).to.equal(discovery_error);
    }
    const { body } = await served.get('/api/runs/latest/export/json');
    expect(body).to.not.have.property('discovery_error');
  });

  it('leave what could be imported to run', async () => {
    const run = await served.runAll();
    expect(statusesOf(run)).to.deep.equal(['completed', 'completed', 'completed', 'error']);
  });

  it('are not in a run that is not active', async () => {
    const { run_id } = await served.active();
    await served.post('/api/runs/new?wait=true', {});
    const { body } = await served.get(`/api/runs/${run_id}/data`);
    expect(body).to.not.have.property('discovery_error');
  });

  it('are gone when the file is mended and the evals are discovered again', async () => {
    served.project.write('broken.eval.mjs', mixedEvals);
    await served.runAll();
    expect(await served.active()).to.not.have.property('discovery_error');
  });

  it('are all there is when nothing could be imported or found', async () => {
    const alone = await ServedProject.start({ 'broken.eval.mjs': broken });
    const run = await alone.active();
    expect(run.results).to.deep.equal([]);
    expect(run.discovery_error).to.include('broken.eval.mjs');
    const empty = await ServedProject.start({ 'README.md': 'nothing' });
    expect((await empty.active()).discovery_error).to.be.a('string').and.not.empty;
  });
});
