import { expect } from 'chai';
import { Project } from '../helpers/project.js';
import { send, serve, untilState } from './serve-process.js';

// The first process imports it, and ends with the first evaluation; no other comes so far.
const evals = `
import { existsSync, writeFileSync } from 'node:fs';
import { evaluation } from 'assay';
if (existsSync('broken')) process.reallyExit(9);
export const crash = evaluation({}, () => {
  if (existsSync('mended')) return;
  writeFileSync('broken', '');
  process.kill(process.pid, 'SIGKILL');
});
export const after = evaluation({ cases: [{}, {}] }, () => {});
`;

describe('a run for which no process can be started any more', () => {
  function mend(project: Project): void {
    project.remove('broken');
    project.write('mended', '');
  }

  it('ends with exit code 2 and the cause; finished results are saved, the rest can be resumed', async () => {
    const project = new Project({ 'a.eval.ts': evals });
    const { code, stderr } = await project.assay(['run', '-c', '1']);
    expect(code, stderr).to.equal(2);
    expect(stderr).to.match(/No process can be started for evaluations: .*exit code 9/);
    expect(stderr).not.to.match(/^\s+at /m);
    const saved = await project.exported();
    expect(saved.run.state).to.equal('interrupted');
    expect(saved.statuses).to.deep.equal({
      crash: 'error',
      'after[0]': 'pending',
      'after[1]': 'pending',
    });
    mend(project);
    const resumed = await project.run(['--resume', 'latest']);
    expect(resumed.run).to.include({ run_id: saved.run.run_id, state: 'finished' });
    expect(resumed.run).to.include({ total_errors: 1, total_passed: 2 });
  });

  it('is interrupted in a server, which says why and goes on with it', async () => {
    const files = { 'a.eval.ts': evals, 'assay.yaml': 'concurrency: 1\n' };
    const { url, project, said, stderr } = await serve(files, ['--start']);
    await said(/No process can be started for evaluations: .*exit code 9/);
    expect((await untilState(url, 'interrupted')).total_errors).to.equal(1);
    mend(project);
    const resumed = await send(url, 'POST', '/api/runs/resume');
    expect(resumed.body).to.include({ ok: true, resumed: true });
    expect(await untilState(url, 'finished')).to.include({ total_errors: 1, total_passed: 2 });
    expect(stderr()).not.to.match(/^\s+at /m);
  });
});
