import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { openStore } from '../../../src/store/store.js';
import { type Running, removeProjects } from '../../helpers/project.js';
import { closeServers, type ServedProject } from '../../helpers/served-project.js';
import {
  type Body,
  calls,
  closeGate,
  expectRefused,
  openGate,
  runOf,
  serveGated,
  startAndWait,
  statuses,
  until,
  untilState,
} from './gated-project.js';

const started: Running[] = [];

async function end(): Promise<void> {
  for (const { child } of started.splice(0)) child.kill('SIGKILL');
  await closeServers();
  removeProjects();
}

/** Starts `assay run` in another process and waits until the server lists the run. */
async function runElsewhere(
  served: ServedProject,
  args: readonly string[] = [],
): Promise<{ running: Running; run_id: string }> {
  const running = served.project.start(['run', '--session', 'theirs', ...args]);
  started.push(running);
  let run_id = '';
  await until(async () => {
    const { runs } = (await served.get('/api/sessions/theirs/runs')).body;
    const live = runs.find(({ state }: Body) => state === 'running');
    run_id = live?.run_id ?? '';
    return live !== undefined && calls(served).length >= 2;
  }, 'the run of the other process');
  return { running, run_id };
}

describe('a run of another process', () => {
  afterEach(end);

  it('appears in listings and is read live', async () => {
    const served = await serveGated();
    const { run_id, running } = await runElsewhere(served);
    expect((await served.get('/api/sessions')).body.sessions).to.deep.equal(['theirs']);
    const inProgress = async () => (await served.get('/api/runs-in-progress')).body.runs;
    const [listed, ...others] = await inProgress();
    expect(others).to.deep.equal([]);
    expect(listed).to.include({ run_id, session_name: 'theirs', state: 'running' });
    expect(listed).to.include({
      total_evaluations: 4,
      run_name: (await runOf(served, run_id)).run_name,
    });
    const before = await runOf(served, run_id);
    expect(before).to.include({ state: 'running', session_name: 'theirs' });
    expect(before).not.to.have.property('is_paused');
    expect(statuses(before)).to.deep.equal(Array(4).fill('pending'));
    openGate(served, 'a');
    await until(
      async () => statuses(await runOf(served, run_id))[0] === 'completed',
      'the first result',
    );
    expect((await runOf(served, run_id)).state).to.equal('running');
    openGate(served);
    await running.ended;
    expect(await runOf(served, run_id)).to.include({ state: 'finished', total_passed: 4 });
    const { runs } = (await served.get('/api/sessions/theirs/runs')).body;
    expect(runs[0]).to.include({ run_id, state: 'finished', total_passed: 4 });
    expect(await inProgress()).to.deep.equal([]);
  });

  it('is controlled there: here that is refused and names the process', async () => {
    const served = await serveGated();
    const { run_id, running } = await runElsewhere(served);
    const process = `process ${running.child.pid}`;
    expect((await served.post(`/api/runs/${run_id}/activate`)).status).to.equal(200);
    expect(await served.active()).to.include({ run_id, state: 'running', is_paused: false });
    openGate(served, 'a');
    await served.until((run) => statuses(run)[0] === 'completed');
    for (const path of ['rerun', 'regrade', 'pause', 'resume', 'stop']) {
      expectRefused(await served.post(`/api/runs/${path}`), 409, process);
    }
    expectRefused(await served.post('/api/runs/rerun', { run_id }), 409, process);
    expectRefused(await served.post('/api/runs/rerun', { indices: [0] }), 409, process);
    expectRefused(await served.delete(`/api/runs/${run_id}`), 409, process);
    expectRefused(await served.delete('/api/sessions/theirs'), 409, process);
    openGate(served);
    const { code } = await running.ended;
    expect(code).to.equal(0);
    expect(await runOf(served, run_id)).to.include({ state: 'finished', total_passed: 4 });
  });

  it('keeps the edits and the name that it is given here', async () => {
    const served = await serveGated();
    const { run_id, running } = await runElsewhere(served);
    const path = `/api/runs/${run_id}`;
    for (const index of [0, 3]) {
      const edit = { result: { annotation: `note ${index}` } };
      expect((await served.patch(`${path}/results/${index}`, edit)).status).to.equal(200);
    }
    expect((await served.patch(path, { run_name: 'ours' })).status).to.equal(200);
    openGate(served);
    await running.ended;
    const exported = await served.project.assay(['export', run_id, '-f', 'json']);
    const run = exported.json();
    expect(run).to.include({ run_name: 'ours', total_passed: 4 });
    expect(run.results.map(({ result }) => result.annotation)).to.deep.equal([
      'note 0',
      '',
      '',
      'note 3',
    ]);
  });

  it('goes on beside one that is executed here', async () => {
    const served = await serveGated();
    const { run_id, running } = await runElsewhere(served);
    const ours = await startAndWait(served);
    expect(ours.run_id).not.to.equal(run_id);
    openGate(served);
    await running.ended;
    expect(await untilState(served, 'finished')).to.include({ total_passed: 4 });
    expect(await runOf(served, run_id)).to.include({ state: 'finished', total_passed: 4 });
  });

  it('sees a run that is stopped here as finished at once, while evaluations still let go', async () => {
    const served = await serveGated({ isDeaf: true, hosts: true });
    const { run_id } = await startAndWait(served);
    const theirs = await openStore(served.project.path('.assay/sessions'));
    expect((await theirs.listRuns())[0]).to.include({ run_id, state: 'running' });
    expect((await served.post('/api/runs/stop')).body.cancelled).to.equal(4);
    expect((await theirs.listRuns())[0]).to.include({ run_id, state: 'finished' });
    const run = await theirs.openRun(run_id);
    expect(run.state).to.equal('finished');
    expect(run.rows.map(({ status }) => status)).to.deep.equal(Array(4).fill('cancelled'));
    await run.close();
    const exported = await served.project.assay(['export', run_id, '-f', 'json']);
    expect(exported.json()).to.include({ state: 'finished' });
  });

  it('can be executed here once it has finished, and the other way round', async () => {
    const served = await serveGated();
    const { run_id, running } = await runElsewhere(served);
    openGate(served);
    await running.ended;
    const rerun = await served.post('/api/runs/rerun?wait=true', { run_id });
    expect(rerun.status, rerun.text).to.equal(200);
    const regraded = await served.post('/api/runs/regrade?wait=true', {});
    expect(regraded.body).to.include({ run_id, regraded: 4 });
    const { code, stderr } = await served.project.assay(['run', '--rerun', run_id]);
    expect(code, stderr).to.equal(0);
    expect((await served.get(`/api/runs/${run_id}/results/0`)).body.attempts).to.have.lengthOf(2);
    closeGate(served);
    await startAndWait(served);
    const refused = await served.project.assay(['run', '--rerun', run_id]);
    expect(refused.code).to.equal(2);
    expect(refused.stderr).to.include(`process ${process.pid}`);
    openGate(served);
    expect(await untilState(served, 'finished')).to.include({ run_id, total_passed: 4 });
  });

  it('is interrupted when its process is killed, and can be resumed here', async () => {
    const served = await serveGated();
    const { run_id, running } = await runElsewhere(served);
    await served.post(`/api/runs/${run_id}/activate`);
    running.child.kill('SIGKILL');
    await running.ended;
    expect(await served.active()).to.include({ run_id, state: 'interrupted' });
    openGate(served);
    expect((await served.post('/api/runs/resume')).body).to.include({ resumed: true, run_id });
    expect(await untilState(served, 'finished')).to.include({ total_passed: 4 });
  });

  it('that deletes the active run leaves a fresh one', async () => {
    const served = await serveGated();
    openGate(served);
    const { run_id } = await served.runAll();
    const { code } = await served.project.assay(['sessions', 'delete-run', run_id, '--yes']);
    expect(code).to.equal(0);
    await delay(50);
    const fresh = await served.active();
    expect(fresh.run_id).not.to.equal(run_id);
    expect(fresh.state).to.equal('not_started');
    expectRefused(await served.get(`/api/runs/${run_id}/data`), 404);
    expect(await served.runAll()).to.include({ run_id: fresh.run_id, total_passed: 4 });
  });

  it('that edits or renames a run is seen at the next reading', async () => {
    const served = await serveGated({ cases: ['a'] });
    openGate(served);
    const { run_id } = await served.runAll();
    await served.project.assay(['sessions', 'rename-run', run_id, 'theirs']);
    expect(await served.active()).to.include({ run_id, run_name: 'theirs' });
  });
});
