import { createServer, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { ownAddress } from '../helpers/own-address.js';
import { Project, ProjectWithoutHosts, until } from '../helpers/project.js';
import { endServing, send, serve } from './serve-process.js';

const evals = `
import { evaluation } from 'assay';
export const one = evaluation({ labels: ['fast'] }, () => {});
export const two = evaluation({ dataset: 'other' }, () => {});
`;
const files = { 'a.eval.ts': evals };
const token = 'a-token-of-twenty-chars';
const headers = { authorization: `Bearer ${token}` };

async function getJson(url: string, init?: RequestInit) {
  const response = await fetch(url, init);
  return { status: response.status, body: JSON.parse(await response.text()) };
}

describe('assay serve', () => {
  afterEach(endServing);

  it('prints its address on stdout, shows what it has found, not started, as flags say, and asks for the token, which it does not show', async () => {
    const project = new Project({
      ...files,
      'b.eval.ts': 'throw new Error("half done");',
      'assay.yaml': 'configs:\n  twice:\n    trials: 2\n',
      // A folder in which an export lies is no run folder.
      'run.json': '{ "run_id": "3f9a0c12be77", "results": [] }',
    });
    const args = ['.', '--session', 'feature/x', '--run-name', 'first', '--token', token];
    const filters = ['--run-config', 'twice', '--dataset', 'a,other', '--label', 'fast'];
    const { url, line, stderr } = await serve(project, [...args, ...filters]);
    expect(line).to.match(
      /^http:\/\/127\.0\.0\.1:\d+\S* +2 results · run first · session feature\/x$/,
    );
    expect(line).not.to.include(token);
    expect((await fetch(`${url}/results`)).status).to.equal(401);
    const { body } = await getJson(`${url}/results`, { headers });
    expect(body).to.include({ state: 'not_started', total_evaluations: 2, path: '.' });
    expect(body).to.include({ session_name: 'feature/x', run_name: 'first', config_name: 'twice' });
    expect(body.results.map(({ id }: { id: string }) => id)).to.deep.equal([
      'a.eval.ts::one~1',
      'a.eval.ts::one~2',
    ]);
    expect(project.has('.assay')).to.equal(false);
    await until(() => stderr().includes('Ctrl-C stops it.'), 'the hint');
    expect(stderr()).not.to.include('cannot be saved');
    // With line feeds, not with \n spelled out.
    expect(stderr())
      .to.match(/^! .*b\.eval\.ts.*\n.*half done/m)
      .and.not.include('\\n');
  });

  it('stays up and says why when --start cannot and runs cannot be saved, and takes a token from the environment', async () => {
    const broken = { 'a.eval.ts': 'throw new Error("half done");\n', '.assay': 'no folder' };
    const { url, stderr } = await serve(broken, ['--start'], { ASSAY_TOKEN: token });
    expect(stderr()).to.match(/Results cannot be saved in .*sessions: .*\.assay is not a folder/);
    await until(() => stderr().includes('half done'), 'the reason');
    expect((await fetch(`${url}/results`)).status).to.equal(401);
    const { body } = await getJson(`${url}/results`, { headers });
    expect(body.discovery_error).to.include('half done');
  });

  it('opens a saved run by folder, and brings an exported one into the results directory of another project', async () => {
    const project = new ProjectWithoutHosts(files);
    const { run } = await project.run();
    const own = await serve(project, [`.assay/sessions/default/${run.run_id}`]);
    const opened = (await getJson(`${own.url}/results`)).body;
    expect(opened).to.include({ run_id: run.run_id, state: 'finished' });
    expect(opened.results).to.deep.equal(run.results);
    await project.assay(['export', 'latest', '-f', 'json', '-o', 'run.json']);
    const other = new Project({ 'run.json': project.read('run.json') });
    const { url, stderr } = await serve(other, ['run.json']);
    expect(stderr()).to.include(`run.json is saved as ${run.run_id}`);
    const { body } = await getJson(`${url}/results`);
    expect(body).to.include({ run_id: run.run_id, total_passed: 2 });
    const rerun = await send(url, 'POST', '/api/runs/rerun');
    expect(rerun.status).to.equal(409);
    const note = { result: { annotation: 'seen' } };
    const edited = await send(url, 'PATCH', '/api/runs/latest/results/0', note);
    expect(edited.status).to.equal(200);
  });

  it('refuses what it does not understand, with exit code 2', async () => {
    const project = new ProjectWithoutHosts(files);
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [['--prot', '1'], /--prot/],
      [['--port', '65536'], /--port takes 0 to 65535/],
      [['--port', 'x'], /--port takes 0 to 65535/],
      [['--host', 'nowhere'], /not an address to listen on/],
      [['--host', '0.0.0.0'], /token is needed/],
      [['--run', 'none'], /none/],
      [['--run-config', 'none'], /none/],
      [['--run', 'latest', '--start'], /--start/],
      [['--session', ' '], /session/i],
      [['missing.eval.ts'], /missing\.eval\.ts/],
      [['a.eval.ts', 'package.json'], /package\.json/],
      [['--settings', 'none.yaml'], /none\.yaml/],
    ];
    const refusals = await Promise.all(cases.map(([args]) => project.assay(['serve', ...args])));
    for (const [at, [args, reason]] of cases.entries()) {
      const { code, stdout, stderr } = refusals[at] ?? { code: 0, stdout: '', stderr: '' };
      expect(stderr, args.join(' '))
        .to.match(reason)
        .and.not.match(/^\s+at /m);
      expect({ code, stdout }, args.join(' ')).to.deep.equal({ code: 2, stdout: '' });
    }
    project.write('assay.yaml', 'timeout: never\n');
    const { code, stdout, stderr } = await project.assay(['serve']);
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    expect(stderr)
      .to.match(/assay\.yaml:1:/)
      .and.not.match(/^\s+at /m);
    expect(project.has('.assay')).to.equal(false);
  });

  it('prints one JSON line with --json, runs everything at once with --start, and makes a token with --token auto, which is not in the link that lets a browser in', async () => {
    const { url, line } = await serve(files, [
      ...['--json', '--start', '--token', 'auto', '--host', '0.0.0.0'],
    ]);
    const {
      link,
      token: made,
      run_id,
    } = JSON.parse(line) as Record<'link' | 'token' | 'run_id', string>;
    expect(made).to.match(/^[\w-]{32}$/);
    expect(link).to.not.include(made);
    expect((await fetch(`${url}/results`)).status).to.equal(401);
    const authorization = { headers: { authorization: `Bearer ${made}` } };
    const active = async () => (await getJson(`${url}/results`, authorization)).body;
    while ((await active()).state !== 'finished') await delay(20);
    expect(await active()).to.include({ run_id, total_passed: 2 });
    const entered = await fetch(link, { redirect: 'manual' });
    expect(entered.status).to.equal(303);
    const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect((await fetch(`${url}/results`, { headers: { cookie } })).status).to.equal(200);
    expect((await fetch(link, { redirect: 'manual' })).status).to.equal(401);
  });
});

describe('the port of assay serve', () => {
  const held: Server[] = [];

  /** Takes a port, unless somebody has it at all addresses. */
  function hold(port: number): Promise<number> {
    return new Promise((resolve) => {
      const server = createServer();
      server.once('error', () => resolve(port));
      server.listen({ port, host: ownAddress }, () => {
        held.push(server);
        const address = server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : port);
      });
    });
  }

  afterEach(async () => {
    for (const server of held.splice(0)) server.close();
    await endServing();
  });

  it('is 8000, or the next free of nine', async () => {
    await hold(8000);
    const { url } = await serve(files, ['--host', ownAddress, '--any-port']);
    expect(Number(new URL(url).port)).to.be.within(8001, 8009);
  });
});
