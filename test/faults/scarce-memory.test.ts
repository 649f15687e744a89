import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { endServing, type Serving, serve, untilState } from '../e2e/serve-process.js';
import { Project, removeProjects } from '../helpers/project.js';
import { keptConnection, untilItWorks } from './kept-connection.js';

const node = ['--require', fileURLToPath(new URL('preload/no-memory.cjs', import.meta.url))];

const evals = `
import { existsSync } from 'node:fs';
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const row = evaluation(
  { cases: Array.from({ length: 6 }, (_, n) => ({ id: String(n) })), target: (ctx) => ctx.caseId },
  async (ctx) => {
    while (existsSync('hold')) await wait(10);
    if (ctx.caseId === '1' && existsSync('crash')) process.kill(process.pid, 'SIGKILL');
    ctx.score('good', true);
  },
);
`;

/** A server with a saved run; there is no memory for processes while the file `full` exists. */
async function begin(): Promise<Serving> {
  const project = new Project({ 'a.eval.ts': evals });
  const { run } = await project.run();
  const env = { NO_MEMORY_FILE: project.path('full') };
  return serve(project, ['--run', run.run_id], env, { node });
}

describe('a server that has no memory for another process', () => {
  afterEach(async () => {
    await endServing();
    removeProjects();
  });

  for (const [what, path] of [
    ['a new run', '/api/runs/new'],
    ['a rerun', '/api/runs/rerun'],
    ['a regrade', '/api/runs/regrade'],
    ['a discovery', '/api/server/restart'],
  ] as const) {
    it(`answers ${what} with 503, and makes it when there is some`, async () => {
      const { url, project, stderr } = await begin();
      const ask = keptConnection(url);
      await untilState(url, 'finished');
      const body = path.endsWith('restart') ? undefined : {};
      project.write('full', '');
      const refused = await ask('POST', path, body);
      expect([refused.status, refused.retryAfter], refused.body).to.deep.equal([503, '5']);
      expect(refused.body).to.include('There is no memory left');
      expect((await ask('GET', '/results')).status).to.equal(200);
      const edit = { result: { annotation: 'seen' } };
      const edited = await ask('PATCH', '/api/runs/latest/results/0', edit);
      expect(edited.status, edited.body).to.equal(200);
      project.remove('full');
      await untilItWorks(() => ask('POST', path, body));
      await untilState(url, 'finished');
      expect(stderr()).not.to.match(/^\s+at /m);
    }).timeout(60_000);
  }

  it('lets a run whose process has ended wait for it', async () => {
    const { url, project, said, stderr } = await begin();
    const ask = keptConnection(url);
    project.write('hold', '');
    project.write('crash', '');
    expect((await ask('POST', '/api/runs/new', {})).status).to.equal(200);
    await untilState(url, 'running');
    project.write('full', '');
    project.remove('hold');
    await said(/No process can be started.*there is no memory left/);
    project.remove('full');
    const run = await untilState(url, 'finished');
    expect(run).to.include({ total_errors: 1, total_evaluations: 6 });
    expect(stderr()).not.to.match(/^\s+at /m);
  }).timeout(120_000);
});
