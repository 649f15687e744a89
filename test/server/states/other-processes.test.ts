import { expect } from 'chai';
import { openStore } from '../../../src/store/store.js';
import type { Running } from '../../helpers/project.js';
import type { ServedProject } from '../../helpers/served-project.js';
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
  untilRunning,
  untilState,
} from './gated-project.js';

/** Starts `assay run` in another process and waits until the server lists the run. */
async function runElsewhere(
  served: ServedProject,
  args: readonly string[] = [],
): Promise<{ running: Running; run_id: string }> {
  const running = served.project.start(['run', '--session', 'theirs', ...args]);
  let run_id = '';
  await until(async () => {
    const { runs } = (await served.get('/api/sessions/theirs/runs')).body;
    const live = runs.find(({ state }: Body) => state === 'running');
    run_id = live?.run_id ?? '';
    return live !== undefined && calls(served).length >= 2;
  }, 'the run of the other process');
  return { running, run_id };
}

const inProgress = async (served: ServedProject) =>
  (await served.get('/api/runs-in-progress')).body.runs;

describe('a run of another process', () => {
  let served: ServedProject;
  let running: Running;
  let run_id: string;

  // One process for all tests: it goes on while it is read, refused, edited and renamed here.
  before(async () => {
    served = await serveGated();
    ({ running, run_id } = await runElsewhere(served));
  });

  it('appears in listings and is read live', async () => {
    expect((await served.get('/api/sessions')).body.sessions).to.deep.equal(['theirs']);
    const [listed, ...others] = await inProgress(served);
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
  });

  it('keeps the edits and the name that it is given here', async () => {
    const path = `/api/runs/${run_id}`;
    for (const index of [0, 3]) {
      const edit = { result: { annotation: `note ${index}` } };
      expect((await served.patch(`${path}/results/${index}`, edit)).status).to.equal(200);
    }
    expect((await served.patch(path, { run_name: 'ours' })).status).to.equal(200);
  });

  it('is controlled there: here that is refused and names the process', async () => {
    expect((await served.post(`/api/runs/${run_id}/activate`)).status).to.equal(200);
    expect(await served.active()).to.include({ run_id, run_name: 'ours', state: 'running' });
    expect(await served.active()).to.include({ is_paused: false });
    const { pid } = running.child;
    for (const [method, path, body] of [
      ...['rerun', 'regrade', 'pause', 'resume', 'stop'].map((act) => ['POST', `runs/${act}`]),
      ['POST', 'runs/rerun', { run_id }],
      ['POST', 'runs/rerun', { indices: [0] }],
      ['DELETE', `runs/${run_id}`],
      ['DELETE', 'sessions/theirs'],
    ] as const) {
      const answer = await served.send(method ?? '', `/api/${path}`, body);
      expectRefused(answer, 409, `process ${pid}`);
      const progress = { finished: 1, total: 4 };
      expect(answer.body).to.deep.include({ run_id, run_name: 'ours', progress, pid });
    }
  });

  it('goes on beside one that is executed here, and has all that was said of it', async () => {
    const ours = (await served.post('/api/runs/new', {})).body;
    await untilRunning(served, 2);
    openGate(served);
    const { code } = await running.ended;
    expect(code).to.equal(0);
    expect(await untilState(served, 'finished')).to.include({
      run_id: ours.run_id,
      total_passed: 4,
    });
    const run = await runOf(served, run_id);
    expect(run).to.include({ state: 'finished', run_name: 'ours', total_passed: 4 });
    expect(run.results.map(({ result }: Body) => result.annotation)).to.deep.equal([
      'note 0',
      '',
      '',
      'note 3',
    ]);
    const { runs } = (await served.get('/api/sessions/theirs/runs')).body;
    expect(runs.find((one: Body) => one.run_id === run_id)).to.include({
      state: 'finished',
      total_passed: 4,
    });
    expect(await inProgress(served)).to.deep.equal([]);
  });

  it('can be executed here once it has finished, and the other way round', async () => {
    const rerun = await served.post('/api/runs/rerun?wait=true', { run_id });
    expect(rerun.status, rerun.text).to.equal(200);
    const regraded = await served.post('/api/runs/regrade?wait=true', {});
    expect(regraded.body).to.include({ run_id, regraded: 4 });
    const { code, stderr } = await served.project.assay(['run', '--rerun', run_id]);
    expect(code, stderr).to.equal(0);
    expect((await served.get(`/api/runs/${run_id}/results/0`)).body.attempts).to.have.lengthOf(2);
    closeGate(served);
    served.project.remove('go-a');
    await startAndWait(served);
    const refused = await served.project.assay(['run', '--rerun', run_id]);
    expect(refused.code).to.equal(2);
    expect(refused.stderr).to.include(`process ${process.pid}`);
    openGate(served);
    expect(await untilState(served, 'finished')).to.include({ run_id, total_passed: 4 });
  });

  it('is interrupted when its process is killed, and can be resumed here', async () => {
    closeGate(served);
    served.project.remove('calls');
    const killed = await runElsewhere(served);
    await served.post(`/api/runs/${killed.run_id}/activate`);
    killed.running.child.kill('SIGKILL');
    await killed.running.ended;
    expect(await served.active()).to.include({ run_id: killed.run_id, state: 'interrupted' });
    openGate(served);
    expect((await served.post('/api/runs/resume')).body).to.include({
      resumed: true,
      run_id: killed.run_id,
    });
    expect(await untilState(served, 'finished')).to.include({ total_passed: 4 });
  });
});

describe('another process', () => {
  it('sees a run that is stopped here as finished at once, while evaluations still let go', async () => {
    const served = await serveGated({ isDeaf: true });
    const { run_id } = await startAndWait(served);
    const theirs = await openStore(served.project.path('.assay/sessions'));
    expect((await theirs.listRuns())[0]).to.include({ run_id, state: 'running' });
    expect((await served.post('/api/runs/stop')).body.cancelled).to.equal(4);
    expect((await theirs.listRuns())[0]).to.include({ run_id, state: 'finished' });
    const run = await theirs.openRun(run_id);
    expect(run.state).to.equal('finished');
    expect(run.rows.map(({ status }) => status)).to.deep.equal(Array(4).fill('cancelled'));
    await run.close();
    openGate(served);
  });

  it('that renames the active run is seen at the next reading, and one that deletes it leaves a fresh one', async () => {
    const served = await serveGated();
    openGate(served);
    const { run_id } = await served.runAll();
    await served.project.assay(['sessions', 'rename-run', run_id, 'theirs']);
    expect(await served.active()).to.include({ run_id, run_name: 'theirs' });
    const { code } = await served.project.assay(['sessions', 'delete-run', run_id, '--yes']);
    expect(code).to.equal(0);
    const fresh = await served.active();
    expect(fresh.run_id).not.to.equal(run_id);
    expect(fresh.state).to.equal('not_started');
    expectRefused(await served.get(`/api/runs/${run_id}/data`), 404);
    expect(await served.runAll()).to.include({ run_id: fresh.run_id, total_passed: 4 });
  });
});
