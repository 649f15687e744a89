import { once } from 'node:events';
import { cpSync, readdirSync } from 'node:fs';
import { expect } from 'chai';
import { type Project, ProjectWithoutHosts } from '../../helpers/project.js';
import { closeServers, ServedProject } from '../../helpers/served-project.js';
import {
  calls,
  expectRefused,
  gatedEvals,
  makeGatedProject,
  openGate,
  statuses,
  until,
  untilRunning,
  untilState,
} from './gated-project.js';

/** Kills a process that executes a run when its first result is saved and two others run. */
async function killAssay(project: Project, args: readonly string[]): Promise<void> {
  openGate({ project }, 'a');
  const running = project.start(args);
  await until(() => calls({ project }).length === 3 && hasResult(project), 'the first result');
  running.child.kill('SIGKILL');
  await once(running.child, 'close');
}

/** True when a result is in the log of any run. */
function hasResult(project: Project): boolean {
  const sessions = project.path('.assay/sessions');
  return readdirSync(sessions, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('results.jsonl'))
    .some((name) => project.read(`.assay/sessions/${name}`).includes('"type":"finished"'));
}

/** Serves a project with its only run. */
async function serveOnly(project: Project): Promise<ServedProject> {
  const names = readdirSync(project.path('.assay/sessions/default'));
  const runId = names.find((name) => /^[0-9a-f]{12}$/.test(name)) ?? '';
  return ServedProject.start(project, { runId });
}

const left = ['completed', 'pending', 'pending', 'pending'];

describe('a run whose process was killed', () => {
  let project: Project;

  // One process is killed for all tests; each of them finds what it has left.
  before(async () => {
    project = makeGatedProject();
    await killAssay(project, ['run']);
    cpSync(project.path('.assay'), project.path('left'), { recursive: true });
  });
  afterEach(closeServers);

  function serveKilled(): Promise<ServedProject> {
    for (const name of ['.assay', 'calls', 'go']) if (project.has(name)) project.remove(name);
    cpSync(project.path('left'), project.path('.assay'), { recursive: true });
    project.write('a.eval.ts', gatedEvals());
    return serveOnly(project);
  }

  it('is interrupted: what has finished is there, the rest is pending', async () => {
    const served = await serveKilled();
    const run = await served.active();
    expect(run).to.include({ state: 'interrupted', is_paused: false, total_passed: 1 });
    expect(statuses(run)).to.deep.equal(left);
    const { runs } = (await served.get('/api/sessions/default/runs')).body;
    expect(runs[0]).to.include({ run_id: run.run_id, state: 'interrupted' });
    expectRefused(await served.post('/api/runs/pause'), 409);
  });

  it('runs only what is left when it is resumed', async () => {
    const served = await serveKilled();
    const { run_id, results } = await served.active();
    expect(
      (await served.patch('/api/runs/latest/results/0', { result: { annotation: 'kept' } })).status,
    ).to.equal(200);
    const resumed = await served.post('/api/runs/resume');
    expect(resumed.body).to.deep.equal({ ok: true, resumed: true, run_id, is_paused: false });
    expect(await untilRunning(served, 2)).to.include({ state: 'running', selected_total: 3 });
    expectRefused(await served.post('/api/runs/rerun', {}), 409);
    openGate(served);
    const run = await untilState(served, 'finished');
    expect(run).to.include({ run_id, total_passed: 4 });
    expect(calls(served)).to.have.members(['b', 'c', 'd']);
    const { annotation, correction_history: _, ...kept } = run.results[0].result;
    expect(annotation).to.equal('kept');
    expect(results[0].result).to.deep.include(kept);
    expect((await served.post('/api/runs/resume')).body).to.include({ resumed: false });
  });

  it('is cancelled by a stop', async () => {
    const served = await serveKilled();
    expect((await served.post('/api/runs/stop')).body).to.deep.equal({ ok: true, cancelled: 3 });
    const run = await served.active();
    expect(run).to.include({ state: 'finished', total_passed: 1 });
    expect(statuses(run)).to.deep.equal(['completed', 'cancelled', 'cancelled', 'cancelled']);
    expect((await served.post('/api/runs/stop')).body).to.deep.equal({ ok: true, cancelled: 0 });
    expect((await served.post('/api/runs/resume')).body).to.include({ resumed: false });
  });

  it('is cancelled once by clients that stop it at the same time', async () => {
    const served = await serveKilled();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => served.post('/api/runs/stop')),
    );
    expect(answers.map(({ status, text }) => (status === 200 ? status : text))).to.deep.equal(
      Array(5).fill(200),
    );
    expect(answers.map(({ body }) => body.cancelled).sort()).to.deep.equal([0, 0, 0, 0, 3]);
  });

  it('is resumed once by clients that resume it at the same time', async () => {
    const served = await serveKilled();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => served.post('/api/runs/resume')),
    );
    for (const { status, text } of answers) expect(status, text).to.be.oneOf([200, 409]);
    expect(answers.filter(({ body }) => body.resumed === true)).to.have.lengthOf(1);
    openGate(served);
    expect(await untilState(served, 'finished')).to.include({ total_passed: 4 });
    expect(calls(served)).to.have.members(['b', 'c', 'd']);
  });

  it('can be run again, edited, left for another one and deleted as any other', async () => {
    const served = await serveKilled();
    openGate(served);
    expect(await served.runAll()).to.include({ state: 'finished', total_passed: 4 });
    await served.close();
    const again = await serveKilled();
    const { run_id } = await again.active();
    const edit = { result: { annotation: 'x' } };
    expect((await again.patch(`/api/runs/${run_id}/results/1`, edit)).status).to.equal(200);
    openGate(again);
    expect((await again.post('/api/runs/new?wait=true', {})).status).to.equal(200);
    await again.post(`/api/runs/${run_id}/activate`);
    expect((await again.delete(`/api/runs/${run_id}`)).status).to.equal(200);
    expect(await again.active()).to.include({ state: 'not_started' });
  });

  it('is resumed with what is still there when evaluations are gone', async () => {
    const served = await serveKilled();
    project.write('a.eval.ts', gatedEvals({ cases: ['a', 'b', 'new'] }));
    openGate(served);
    expect((await served.post('/api/runs/resume')).body).to.include({ resumed: true });
    const run = await served.until((one) => statuses(one)[1] === 'completed');
    expect(run.results).to.have.lengthOf(4);
  });
});

describe('a regrade whose process was killed', () => {
  it('leaves the results as they were', async () => {
    const grader = (body: string) => `
import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { evaluation } from 'assay';
export const one = evaluation({
  target: () => 'answer',
  evaluators: [async function good() { ${body} return true; }],
});
`;
    const project = new ProjectWithoutHosts({ 'a.eval.ts': grader('') });
    const before = (await project.assay(['run', '--json'])).json();
    project.write(
      'a.eval.ts',
      grader(
        "appendFileSync(new URL('calls', import.meta.url), 'x\\n'); while (true) await delay(10);",
      ),
    );
    const running = project.start(['run', '--regrade', before.run_id]);
    await until(() => calls({ project }).length > 0, 'the grader');
    running.child.kill('SIGKILL');
    await once(running.child, 'close');
    const served = await serveOnly(project);
    const run = await served.active();
    expect(run.state).to.equal('finished');
    expect(run.results).to.deep.equal(before.results);
  });
});
