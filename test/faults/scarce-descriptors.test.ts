import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { endServing, type Serving, serve, untilState } from '../e2e/serve-process.js';
import { Project, removeProjects } from '../helpers/project.js';
import { fewOf, patience } from '../helpers/rounds.js';
import { type Answer, keptConnection, untilItWorks } from './kept-connection.js';

const quick = `
import { evaluation } from 'assay';
export const row = evaluation({ target: () => 'fine' }, (ctx) => ctx.check('same', true));
`;

// One ends the process of all as soon as a file is there.
const crashing = `
import { existsSync, writeFileSync } from 'node:fs';
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const row = evaluation(
  { cases: Array.from({ length: 12 }, (_, n) => ({ id: String(n) })) },
  async (ctx) => {
    const crashes = ctx.caseId === '1';
    // The others are not done when it crashes first.
    while (!existsSync(crashes ? 'go' : 'crashed')) await wait(10);
    if (crashes) {
      writeFileSync('crashed', '');
      process.kill(process.pid, 'SIGKILL');
    }
    ctx.output = ctx.caseId;
  },
);
`;

function setLimit({ child }: Serving, limit: number): void {
  const { status, stderr } = spawnSync('prlimit', [`--pid=${child.pid}`, `--nofile=${limit}:`]);
  expect(status, String(stderr)).to.equal(0);
}

/** Lets a server open so many more files: the limit is one for their numbers, which may have gaps. */
function leaveRoomFor(files: number, serving: Serving): void {
  const open = new Set(readdirSync(`/proc/${serving.child.pid}/fd`).map(Number));
  let limit = 0;
  for (let free = 0; free < files || open.size > limit - free; limit += 1) {
    if (!open.has(limit)) free += 1;
    if (free > files) break;
  }
  setLimit(serving, limit);
}

function checkRefusal({ status, retryAfter, body }: Answer): void {
  expect([status, retryAfter], body).to.deep.equal([503, '5']);
  expect(body).to.include('Too many files are open');
}

/** How many files may be opened: from none to all that are needed. */
const rooms = Array.from({ length: 24 }, (_, room) => room);

const operations = [
  { method: 'GET', path: '/api/sessions' },
  { method: 'POST', path: '/api/runs/new', body: {} },
  { method: 'POST', path: '/api/runs/rerun', body: {} },
  { method: 'POST', path: '/api/runs/regrade', body: {} },
  { method: 'POST', path: '/api/server/restart' },
  {
    method: 'PATCH',
    path: '/api/runs/latest/results/0',
    body: { result: { annotation: 'seen' } },
  },
];

describe('a server that has few descriptors left', () => {
  afterEach(async () => {
    await endServing();
    removeProjects();
  });

  it('does what it is asked, or answers 503; within 5 s of getting some back it does', async () => {
    const project = new Project({ 'a.eval.ts': quick });
    const { run } = await project.run();
    const serving = await serve(project, ['--run', run.run_id]);
    const send = keptConnection(serving.url);
    const settled = async () => {
      await untilState(serving.url, 'finished');
      return send('GET', '/api/health');
    };
    for (const { method, path, body } of fewOf(operations, 3)) {
      const ask = () => send(method, path, body);
      const statuses: number[] = [];
      for (const room of [0, ...fewOf(rooms.slice(1, -1), 1), 23]) {
        await settled();
        leaveRoomFor(room, serving);
        const answer = await ask();
        setLimit(serving, 10_000);
        statuses.push(answer.status);
        if (answer.status < 300) continue;
        checkRefusal(answer);
        await settled();
        await untilItWorks(ask);
      }
      expect(statuses.at(-1), path).to.equal(200);
      if (method === 'POST') expect(statuses, path).to.include(503);
    }
    await settled();
    expect(serving.stderr()).not.to.match(/^\s+at /m);
    const listed = await project.assay(['sessions', 'show', 'default', '--json']);
    expect(listed.stdout)
      .to.include('finished')
      .and.not.to.match(/"(running|not_started)"/);
  }).timeout(patience);

  // Limits of processes do not hold for root, but root can become somebody else.
  const itAsRoot = process.getuid?.() === 0 ? it : () => undefined;
  itAsRoot('answers 503 when there may be no more processes, too', async () => {
    const project = new Project({ 'a.eval.ts': quick });
    expect(spawnSync('chown', ['-R', '65534:65534', project.folder]).status).to.equal(0);
    const through = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
    const { url, child, stderr } = await serve(project, [], { HOME: project.folder }, { through });
    const ask = keptConnection(url);
    const allow = (processes: string) => {
      const [program = '', ...args] = [...through, 'prlimit', `--pid=${child.pid}`];
      const { status, stderr } = spawnSync(program, [...args, `--nproc=${processes}:`]);
      expect(status, String(stderr)).to.equal(0);
    };
    allow('1');
    const refused = await ask('POST', '/api/runs/new', {});
    expect([refused.status, refused.retryAfter]).to.deep.equal([503, '5']);
    expect(refused.body).to.include('Too many processes are running');
    allow('50000');
    await untilItWorks(() => ask('POST', '/api/runs/new', {}));
    await untilState(url, 'finished');
    expect(stderr()).not.to.match(/^\s+at /m);
  });

  it('goes on with a run whose process has ended when it gets some back', async () => {
    const serving = await serve({ 'a.eval.ts': crashing }, ['--start']);
    const { project, url } = serving;
    await untilState(url, 'running');
    leaveRoomFor(3, serving);
    project.write('go', '');
    await serving.said(/No process can be started.*too many files are open/);
    setLimit(serving, 10_000);
    const run = await untilState(url, 'finished');
    expect(run).to.include({ total_errors: 1, total_evaluations: 12 });
    expect(run.results[1].result.error).to.include('SIGKILL');
    expect(serving.stderr()).not.to.match(/^\s+at /m);
  });
});
