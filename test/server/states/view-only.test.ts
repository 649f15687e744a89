import { renameSync } from 'node:fs';
import { expect } from 'chai';
import { Project } from '../../helpers/project.js';
import { ServedProject } from '../../helpers/served-project.js';
import {
  expectRefused,
  makeGatedProject,
  openGate,
  serveGated,
  statuses,
} from './gated-project.js';

/** Everything that would run evals of the active run is refused; looking at it and editing it go on. */
async function expectViewOnly(served: ServedProject, reason: RegExp | string): Promise<void> {
  const before = await served.active();
  expectRefused(await served.post('/api/runs/rerun', {}), 409, reason);
  expectRefused(await served.post('/api/runs/rerun', { indices: [0] }), 409, reason);
  expectRefused(await served.post('/api/runs/regrade', {}), 409, reason);
  expect((await served.active()).results).to.deep.equal(before.results);
  const edit = { result: { annotation: 'seen' } };
  const edited = await served.patch('/api/runs/latest/results/0', edit);
  expect(edited.status, edited.text).to.equal(200);
  const after = await served.active();
  expect(after.results[0].result.annotation).to.equal('seen');
  expect((await served.get(`/api/runs/${before.run_id}/export/csv`)).status).to.equal(200);
}

async function savedRun(project: Project) {
  openGate({ project });
  return (await project.assay(['run', '--json'])).json();
}

describe('a run whose evals cannot be run', () => {
  it('because the files are gone can be viewed and edited, and run again when they are back', async () => {
    const served = await serveGated();
    openGate(served);
    await served.runAll();
    const text = served.read('a.eval.ts');
    served.project.remove('a.eval.ts');
    await expectViewOnly(served, 'no longer exist');
    served.project.write('a.eval.ts', text);
    expect(await served.runAll()).to.include({ total_passed: 4 });
  });

  it('because they lie outside of the served folder can be viewed and edited', async () => {
    const project = makeGatedProject();
    project.write('go', '');
    project.write('inner/readme.txt', '');
    const ran = await project.assay(['run', '../a.eval.ts', '--json'], { cwd: 'inner' });
    const { run_id } = ran.json();
    const served = await ServedProject.start(project, { cwd: 'inner', runId: run_id });
    await expectViewOnly(served, 'are outside of');
  });

  it('refuses rows whose evaluation is gone by name, and leaves them when all are run', async () => {
    const served = await serveGated();
    openGate(served);
    await served.runAll();
    served.project.write(
      'a.eval.ts',
      served.read('a.eval.ts').replace('{"id":"b","input":"b"},', ''),
    );
    expectRefused(await served.post('/api/runs/rerun', { indices: [0, 1] }), 409, 'gated[b]');
    const run = await served.runAll();
    expect(statuses(run)).to.deep.equal(Array(4).fill('completed'));
    expect(run.selected_total).to.equal(3);
  });
});

describe('a run folder that is served', () => {
  it('is read and edited where it is, although it is in no listing', async () => {
    const project = makeGatedProject();
    const { run_id } = await savedRun(project);
    renameSync(project.path(`.assay/sessions/default/${run_id}`), project.path('shared'));
    const served = await ServedProject.start(project, { runFolder: project.path('shared') });
    expect(await served.active()).to.include({ run_id, state: 'finished', total_passed: 4 });
    expect((await served.get('/api/sessions')).body.sessions).to.deep.equal([]);
    const edit = { result: { annotation: 'seen' } };
    expect((await served.patch(`/api/runs/${run_id}/results/0`, edit)).status).to.equal(200);
    expect(project.read('shared/results.jsonl')).to.include('"seen"');
    expectRefused(await served.delete(`/api/runs/${run_id}`), 409);
    expect(await served.runAll()).to.include({ run_id, total_passed: 4 });
  });

  it('can be viewed where its evals are not', async () => {
    const project = makeGatedProject();
    const { run_id } = await savedRun(project);
    const elsewhere = new Project({});
    const served = await ServedProject.start(elsewhere, {
      runFolder: project.path(`.assay/sessions/default/${run_id}`),
    });
    await expectViewOnly(served, 'no longer exist');
  });
});
