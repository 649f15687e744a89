import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { expect } from 'chai';
import { endServing, type Serving, send, serve, untilState } from '../e2e/serve-process.js';
import { Project, removeProjects } from '../helpers/project.js';

const rows = 40;
const source = `
import { appendFileSync, existsSync } from 'node:fs';
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const row = evaluation(
  { cases: Array.from({ length: ${rows} }, (_, n) => ({ id: String(n) })) },
  async (ctx) => {
    do await wait(5);
    while (ctx.caseId === '3' && existsSync('slow'));
    appendFileSync('calls.txt', ctx.caseId + '\\n');
    ctx.output = ctx.caseId.padStart(4000, '.');
  },
);
`;
// The file of calls stays far below any limit.
const kibibytes = 96;

/** No file of the process may grow beyond a limit that can be lifted later. */
const limited = [
  'bash',
  '-c',
  `ulimit -S -f ${kibibytes}; trap "" XFSZ; exec "$@"`,
  'bash',
] as const;

function makeRoom({ child }: Serving): void {
  const { status, stderr } = spawnSync('prlimit', [`--pid=${child.pid}`, '--fsize=unlimited']);
  expect(status, String(stderr)).to.equal(0);
}

const note = { result: { annotation: 'seen' } };

/** A server whose run has no room for all its results. */
async function serveUntilFull(files: Record<string, string> = {}): Promise<Serving> {
  const project = { 'a.eval.ts': source, ...files };
  const serving = await serve(project, ['--start'], {}, { through: limited });
  await untilState(serving.url, 'paused');
  return serving;
}

function callsOf(project: Project): string[] {
  return project.read('calls.txt').trim().split('\n');
}

describe('a disk that is full while a server executes a run', () => {
  afterEach(async () => {
    await endServing();
    removeProjects();
  });

  it('pauses the run and says so; with room again it goes on and runs nothing twice', async () => {
    const serving = await serveUntilFull();
    const { url, project, stderr } = serving;
    expect(stderr()).to.match(/There is no room left .* The run is paused: make room/);
    const paused = (await send(url, 'GET', '/results')).body;
    expect(paused).to.include({ is_paused: true, total_errors: 0 });
    expect(paused.total_passed).to.be.within(1, rows - 1);

    const edit = await send(url, 'PATCH', '/api/runs/latest/results/0', note);
    expect([edit.status, edit.body.status]).to.deep.equal([507, 507]);
    expect(edit.body.detail).to.include('There is no room left').and.to.include('Make room');
    const resumed = await send(url, 'POST', '/api/runs/resume');
    expect(resumed.status).to.equal(507);
    expect((await send(url, 'GET', '/results')).body).to.include({ is_paused: true });

    makeRoom(serving);
    expect((await send(url, 'PATCH', '/api/runs/latest/results/0', note)).status).to.equal(200);
    expect((await send(url, 'POST', '/api/runs/resume')).body).to.include({ resumed: true });
    const finished = await untilState(url, 'finished');
    expect(finished).to.include({ total_passed: rows, is_paused: false });
    expect(finished.results[0].result.annotation).to.equal('seen');
    expect(callsOf(project)).to.have.lengthOf(rows);
    const { run } = await project.exported();
    expect(run.results.map(({ result }) => result.output)).to.deep.equal(
      Array.from({ length: rows }, (_, n) => String(n).padStart(4000, '.')),
    );
  });

  it('lets the paused run be stopped, and be run to its end when there is room', async () => {
    // One row still runs then.
    const serving = await serveUntilFull({ slow: '' });
    const { url } = serving;
    // It stops, but that the rest is cancelled cannot be saved: it stays unfinished.
    expect((await send(url, 'POST', '/api/runs/stop')).status).to.equal(507);
    const before = await untilState(url, 'interrupted');
    expect(before.results[3].result.status).to.equal('pending');
    makeRoom(serving);
    serving.project.remove('slow');
    expect((await send(url, 'POST', '/api/runs/resume')).body).to.include({ resumed: true });
    const after = await untilState(url, 'finished');
    expect(after).to.include({ total_passed: rows });
    for (const [at, row] of before.results.entries()) {
      if (row.result.status === 'completed') expect(after.results[at]).to.deep.equal(row);
    }
  });
});

/** True where this user may mount file systems in a namespace of its own. */
function canMount(): boolean {
  const { status } = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']);
  return status === 0;
}

describe('a disk that is full while a command executes a run', () => {
  const itWithMounts = canMount() ? it : () => undefined;
  itWithMounts(
    'ends it with what to do; all that was saved is there and can be resumed',
    async () => {
      const project = new Project({ 'a.eval.ts': source });
      mkdirSync(project.path('.assay'));
      const small = [
        ...['unshare', '-rm', 'bash', '-c'],
        'mount -t tmpfs -o size=128k none .assay && { "$@"; code=$?; cp -r .assay kept; exit $code; }',
        'bash',
      ];
      const ended = await project.assay(['run', '-c', '2'], { through: small });
      expect(ended.code, ended.stderr).to.equal(2);
      expect(ended.stderr)
        .to.include('There is no room left')
        .and.to.match(/can be resumed/);
      expect(ended.stderr).not.to.match(/^\s+at /m);
      const kept = ['--results-dir', 'kept/sessions'];
      const saved = await project.assay(['export', 'latest', '-f', 'json', ...kept]);
      expect(saved.code, saved.stderr).to.equal(0);
      const before = JSON.parse(saved.stdout);
      expect(before.state).to.equal('interrupted');
      const { run } = await project.run(['--resume', 'latest', ...kept]);
      expect(run).to.include({ total_passed: rows, state: 'finished' });
      for (const [at, row] of before.results.entries()) {
        if (row.result.status === 'completed') expect(run.results[at]).to.deep.equal(row);
      }
    },
  );
});
