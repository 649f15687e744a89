import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { serve, untilState } from '../e2e/serve-process.js';
import { Project } from '../helpers/project.js';
import { keptConnection, untilItWorks } from './kept-connection.js';

const node = ['--require', fileURLToPath(new URL('preload/no-memory.cjs', import.meta.url))];

const evals = `
import { existsSync, writeFileSync } from 'node:fs';
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const row = evaluation(
  { cases: Array.from({ length: 6 }, (_, n) => ({ id: String(n) })), target: (ctx) => ctx.caseId },
  async (ctx) => {
    const crashes = ctx.caseId === '1' && existsSync('crash');
    // The others are not done when it crashes first.
    while (existsSync('hold') || (existsSync('crash') && !crashes && !existsSync('crashed'))) await wait(10);
    if (crashes) {
      writeFileSync('crashed', '');
      process.kill(process.pid, 'SIGKILL');
    }
    ctx.score('good', true);
  },
);
`;

describe('a server that has no memory for another process', () => {
  it('refuses what needs one with 503, makes it when there is some, and lets a run wait for it', async () => {
    const project = new Project({ 'a.eval.ts': evals });
    const { run } = await project.run();
    // There is no memory for processes while the file `full` exists.
    const env = { NO_MEMORY_FILE: project.path('full') };
    const { url, said, stderr } = await serve(project, ['--run', run.run_id], env, { node });
    const ask = keptConnection(url);
    for (const [path, body] of [
      ['/api/runs/new', {}],
      ['/api/runs/rerun', {}],
      ['/api/runs/regrade', {}],
      ['/api/server/restart', undefined],
    ] as const) {
      await untilState(url, 'finished');
      project.write('full', '');
      const refused = await ask('POST', path, body);
      expect([path, refused.status, refused.retryAfter]).to.deep.equal([path, 503, '5']);
      expect(refused.body).to.include('There is no memory left');
      expect((await ask('GET', '/results')).status).to.equal(200);
      const edit = { result: { annotation: `seen before ${path}` } };
      const edited = await ask('PATCH', '/api/runs/latest/results/0', edit);
      expect(edited.status, edited.body).to.equal(200);
      project.remove('full');
      await untilItWorks(() => ask('POST', path, body));
    }
    await untilState(url, 'finished');

    project.write('hold', '');
    project.write('crash', '');
    expect((await ask('POST', '/api/runs/new', {})).status).to.equal(200);
    await untilState(url, 'running');
    project.write('full', '');
    project.remove('hold');
    await said(/No process can be started.*there is no memory left/);
    project.remove('full');
    const waited = await untilState(url, 'finished');
    expect(waited).to.include({ total_errors: 1, total_evaluations: 6 });
    expect(stderr()).not.to.match(/^\s+at /m);
  });
});
