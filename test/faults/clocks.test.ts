import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { send, serve, untilState } from '../e2e/serve-process.js';
import { Project } from '../helpers/project.js';

const rows = `
import { existsSync } from 'node:fs';
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const row = evaluation(
  { cases: Array.from({ length: 20 }, (_, n) => ({ id: String(n) })) },
  async (ctx) => { await wait(20); ctx.output = new Date().toISOString() && ctx.caseId; },
);
`;
const hangs = `${rows}
export const hangs = evaluation({ timeout: 0.5 }, () => new Promise(() => {}));
`;
const holds = `${rows}
export const holds = evaluation({}, async () => { while (!existsSync('go')) await wait(10); });
`;

const clock = fileURLToPath(new URL('preload/jumping-clock.cjs', import.meta.url));
/** Runner and hosts alike. */
const env = { NODE_OPTIONS: `--require=${clock}` };

describe('a clock that jumps back and ahead', () => {
  it('changes no latency, no timeout, no order, and no id is given twice', async () => {
    const project = new Project({ 'a.eval.ts': hangs });
    const runs = await Promise.all([1, 2].map(() => project.run(['-c', '4'], { env })));
    for (const { run, result } of runs) {
      expect(run).to.include({ state: 'finished', total_passed: 20, total_errors: 1 });
      expect(result('hangs').error).to.match(/^timed out after 0.5 s/);
      for (const [at, row] of run.results.slice(0, 20).entries()) {
        expect(row.id).to.include(`[${at}]`);
        expect(row.result.output).to.equal(String(at));
        expect(row.result.latency, row.id).to.be.within(0.015, 60);
      }
    }
    expect(new Set(runs.map(({ run }) => run.run_id)).size).to.equal(2);
    const listed = await project.assay(['sessions', 'show', 'default', '--json'], { env });
    expect(JSON.parse(listed.stdout).runs).to.have.lengthOf(2);
  });

  it('leaves edits in the order in which they were made, and a run to the process that executes it until that is dead', async () => {
    const project = new Project({ 'a.eval.ts': holds });
    const { url, child, ended } = await serve(project, ['--start'], env);
    await untilState(url, 'running');
    const texts = Array.from({ length: 20 }, (_, count) => `edit ${count}`);
    for (const annotation of texts) {
      const edit = { result: { annotation } };
      const { status } = await send(url, 'PATCH', '/api/runs/latest/results/0', edit);
      expect(status).to.equal(200);
    }
    const other = await project.assay(['run', '--rerun', 'latest'], { env });
    expect(other.code).to.equal(2);
    expect(other.stderr).to.include(`is in use by process ${child.pid}`);
    child.kill('SIGKILL');
    await ended;
    project.write('go', '');
    const { run } = await project.run(['--resume', 'latest'], { env });
    expect(run).to.include({ state: 'finished', total_passed: 21 });
    const [first] = run.results;
    expect(first?.result.correction_history.map(({ after }) => after)).to.deep.equal(texts);
    expect(first?.result.annotation).to.equal('edit 19');
  });
});
