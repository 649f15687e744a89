import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { Project, type Running, removeProjects } from '../../helpers/project.js';
import { closeServers, ServedProject } from '../../helpers/served-project.js';
import { changingProject, mixedEvals, oneAtATime, slowEvals, statusesOf } from './evals.js';

type Run = Awaited<ReturnType<ServedProject['active']>>;

const slowProject = { 'slow.eval.mjs': slowEvals, 'assay.yaml': oneAtATime };
const go = (project: Project, ids: string) => {
  for (const id of ids) project.write(`go-${id}`, '');
};

/** A run of the command line whose first result has finished. */
async function runInTheMiddle(served: ServedProject): Promise<{ command: Running; run: Run }> {
  go(served.project, 'a');
  const command = served.project.start(['run', '--run-name', 'from outside']);
  for (; ; await delay(20)) {
    const { runs } = (await served.get('/api/sessions/default/runs')).body;
    const [{ run_id } = { run_id: '' }] = runs;
    const { body } = await served.get(`/api/runs/${run_id || 'latest'}/data`);
    if (statusesOf(body)[0] === 'completed') return { command, run: body };
    if (command.child.exitCode !== null) throw new Error((await command.ended).stderr);
  }
}

describe('the contract: a run of another process', () => {
  let served: ServedProject;
  let command: Running;
  let run: Run;

  before(async () => {
    served = await ServedProject.start(slowProject);
    ({ command, run } = await runInTheMiddle(served));
  });

  it('is listed and read while it runs', async () => {
    const { runs } = (await served.get('/api/sessions/default/runs')).body;
    expect(runs[0]).to.include({ run_name: 'from outside', state: 'running' });
    expect(run.state).to.equal('running');
    expect(statusesOf(run)[0]).to.equal('completed');
    expect(statusesOf(run)[1]).to.be.oneOf(['running', 'pending']);
    expect(statusesOf(run)[2]).to.equal('pending');
  });

  it('is annotated while it runs', async () => {
    const path = `/api/runs/${run.run_id}/results/0`;
    const { status } = await served.patch(path, { result: { annotation: 'from the server' } });
    expect(status).to.equal(200);
  });

  it('is renamed and activated while it runs', async () => {
    await served.patch(`/api/runs/${run.run_id}`, { run_name: 'renamed here' });
    await served.post(`/api/runs/${run.run_id}/activate`);
    expect((await served.active()).run_name).to.equal('renamed here');
    expect(await served.active()).to.include({ run_id: run.run_id, is_paused: false });
  });

  for (const [method, path, body] of [
    ['POST', '/api/runs/rerun', {}],
    ['POST', '/api/runs/regrade', {}],
    ['POST', '/api/runs/pause', {}],
    ['POST', '/api/runs/stop', {}],
    ['DELETE', '/api/runs/{run_id}', undefined],
    ['DELETE', '/api/sessions/default', undefined],
  ] as const) {
    it(`answers 409 that names the process to ${method} ${path}`, async () => {
      const answer = await served.send(method, path.replace('{run_id}', run.run_id), body);
      expect(answer.status).to.equal(409);
      const { pid } = command.child;
      expect(answer.body.detail).to.include(String(pid));
      expect(answer.body).to.deep.include({
        run_id: run.run_id,
        run_name: 'renamed here',
        progress: { finished: 1, total: 3 },
        pid,
      });
    });
  }

  it('lets a new run go on beside it', async () => {
    const { status, body } = await served.post('/api/runs/new', { indices: [0] });
    expect(status).to.equal(200);
    const beside = await served.until(({ state }) => state === 'finished');
    expect(beside.run_id).to.equal(body.run_id);
    expect(statusesOf(beside)).to.deep.equal(['completed', 'not_started', 'not_started']);
  });

  it('keeps the annotation when it finishes, and can be rerun then', async () => {
    go(served.project, 'bc');
    expect((await command.ended).code).to.equal(0);
    const { body } = await served.get(`/api/runs/${run.run_id}/data`);
    expect(body).to.include({ state: 'finished', run_name: 'renamed here' });
    expect(body.results[0].result.annotation).to.equal('from the server');
    const answer = await served.post('/api/runs/rerun?wait=true', { run_id: run.run_id });
    expect(answer.status).to.equal(200);
  });
});

describe('the contract: an interrupted run', () => {
  let served: ServedProject;
  let run: Run;

  beforeEach(async () => {
    served = await ServedProject.start(slowProject);
    const begun = await runInTheMiddle(served);
    begun.command.child.kill('SIGKILL');
    await once(begun.command.child, 'close');
    await served.post(`/api/runs/${begun.run.run_id}/activate`);
    run = await served.active();
  });

  afterEach(async () => {
    await closeServers();
    removeProjects();
  });

  it('reads as interrupted, what was in flight as pending, and what had finished as it was', async () => {
    expect(run.state).to.equal('interrupted');
    expect(statusesOf(run)).to.deep.equal(['completed', 'pending', 'pending']);
    expect(run.results[0].result.output).to.equal('a');
    const { runs } = (await served.get('/api/sessions/default/runs')).body;
    expect(runs[0]).to.include({ run_id: run.run_id, state: 'interrupted' });
  });

  it('is resumed: only what is left runs', async () => {
    go(served.project, 'bc');
    const { body } = await served.post('/api/runs/resume');
    expect(body).to.deep.equal({
      ok: true,
      resumed: true,
      run_id: run.run_id,
      is_paused: false,
    });
    const finished = await served.until(({ state }) => state === 'finished');
    expect(statusesOf(finished)).to.deep.equal(Array(3).fill('completed'));
    expect(finished.results[0]).to.deep.equal(run.results[0]);
    expect((await served.post('/api/runs/resume')).body.resumed).to.equal(false);
  });

  it('is stopped: what is left is cancelled', async () => {
    expect((await served.post('/api/runs/stop')).body).to.deep.equal({ ok: true, cancelled: 2 });
    const stopped = await served.active();
    expect(stopped.state).to.equal('finished');
    expect(statusesOf(stopped)).to.deep.equal(['completed', 'cancelled', 'cancelled']);
  });

  it('is edited, deleted and no obstacle for another one', async () => {
    const path = `/api/runs/${run.run_id}/results/1`;
    expect((await served.patch(path, { result: { annotation: 'x' } })).status).to.equal(200);
    go(served.project, 'bc');
    expect((await served.post('/api/runs/new?wait=true', {})).status).to.equal(200);
    expect((await served.delete(`/api/runs/${run.run_id}`)).status).to.equal(200);
  });
});

describe('the contract: deleting what is executed', () => {
  it('answers 409 for the run and its session, and works when it is over', async () => {
    const served = await ServedProject.start(slowProject);
    await served.post('/api/runs/rerun', {});
    const { run_id } = await served.active();
    expect((await served.delete(`/api/runs/${run_id}`)).status).to.equal(409);
    expect((await served.delete('/api/sessions/default')).status).to.equal(409);
    go(served.project, 'abc');
    const run = await served.until(({ state }) => state === 'finished');
    expect(statusesOf(run)).to.deep.equal(Array(3).fill('completed'));
    expect((await served.delete(`/api/runs/${run_id}`)).status).to.equal(200);
  });
});

describe('the contract: a run that can only be viewed', () => {
  afterEach(async () => {
    await closeServers();
    removeProjects();
  });

  const expectViewOnly = async (served: ServedProject, reason: RegExp) => {
    const before = await served.active();
    for (const path of ['/api/runs/rerun', '/api/runs/regrade']) {
      const { status, body } = await served.post(path, {});
      expect(status, path).to.equal(409);
      expect(body.detail).to.match(reason);
    }
    const result = { annotation: 'still edited' };
    expect((await served.patch('/api/runs/latest/results/0', { result })).status).to.equal(200);
    const { state, results } = await served.active();
    expect(state).to.equal('finished');
    expect(results.slice(1)).to.deep.equal(before.results.slice(1));
  };

  it('is one whose eval files are gone', async () => {
    const served = await ServedProject.start({ 'evals/mixed.eval.mjs': mixedEvals });
    await served.runAll();
    served.project.remove('evals/mixed.eval.mjs');
    await expectViewOnly(served, /evaluations of \S+ no longer exist/);
  });

  it('is one whose eval files lie outside the directory the server was started for', async () => {
    const project = new Project({
      'evals/mixed.eval.mjs': mixedEvals,
      'inner/own.eval.mjs': mixedEvals,
    });
    const ran = await project.assay(['run', '../evals', '--json'], { cwd: 'inner' });
    const served = await ServedProject.start(project, { cwd: 'inner' });
    await served.post(`/api/runs/${ran.json().run_id}/activate`);
    await expectViewOnly(served, /are outside of/);
  });

  it('is opened as the active one when the server is started with it', async () => {
    const project = new Project(changingProject);
    const { run_id } = (await project.assay(['run', '--json'])).json();
    const served = await ServedProject.start(project, { runId: run_id });
    expect(await served.active()).to.include({ run_id, state: 'finished' });
  });
});
