import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Project, ProjectWithoutHosts } from '../helpers/project.js';

const coin = (comment = '') => `
import { evaluation } from 'assay';
export const coin = evaluation({
  cases: Array.from({ length: 10 }, (_, input) => ({ id: String(input), input })),
  target: async ({ input }) => {
    ${comment}
    return (await fetch(process.env.COIN + '/' + input)).text();
  },
  evaluators: [function heads({ output }) { return output === 'heads'; }],
});`;

describe('assay run: results that run again', () => {
  let server: Server;
  let draws: string[];
  let project: Project;
  let id: string;
  /** With the first run, and what it drew. */
  let ran: Project;
  let drawn: readonly string[];

  /** Draws heads for every second case, and for the others tails the first time. */
  before(async () => {
    draws = [];
    server = createServer(({ url = '' }, response) => {
      const isHeads = Number(url.slice(1)) % 2 === 0 || draws.includes(url);
      draws.push(url);
      response.end(isHeads ? 'heads' : 'tails');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    project = new ProjectWithoutHosts({ 'coin.eval.ts': coin() });
    id = (await assay('run', '--json')).json().run_id;
    [ran, drawn] = [project, draws];
  });
  after(() => void server.close());

  const assay = (...args: string[]) => {
    const { port } = server.address() as AddressInfo;
    return project.assay(args, { env: { COIN: `http://127.0.0.1:${port}` } });
  };

  beforeEach(() => {
    draws = [...drawn];
    project = ran.copy();
  });

  it('move no rate and no gate when their outcome chose them, and the report says both numbers', async () => {
    const gate = ['run', '--rerun', id, '--only', 'failed', '--fail-under', '0.9'];
    const { code, stderr } = await assay(...gate);
    expect(code).to.equal(1);
    expect(stderr).to.match(/✗ pass rate 50\.0 % \(5 of 10\) is under 90 %/);
    expect(stderr).to.match(/heads .* 50\.0 % +5 of 10 +95 %: 23\.7–76\.3/);
    expect(stderr).to.match(/10 pass now: 5 of 5 passed when run again/);
    expect((await assay('sessions', 'gate', id, '--fail-under', '0.9')).code).to.equal(1);
    const { run } = await project.exported(id);
    expect(run).to.deep.include({ total_passed: 10, repeats: { results: 5, passed: 5 } });
  });

  it('cannot be judged or blessed when they ran with newer code, until what has changed runs', async () => {
    project.write('coin.eval.ts', coin('void 0;'));
    await assay('run', '--rerun', id, '--only', 'failed');
    const gate = await assay('sessions', 'gate', id, '--fail-under', '0.1');
    expect(gate.code).to.equal(2);
    expect(gate.stderr).to.match(
      new RegExp(
        `5 of 10 results ran again with newer code, params or files: .*--rerun ${id} --only changed`,
      ),
    );
    const bless = await assay('sessions', 'bless', id, 'base.json');
    expect(bless.code).to.equal(2);
    expect(bless.stderr).to.match(
      /was not blessed: 5 of 10 results ran again with newer code, params or files/,
    );
    expect(
      (await assay('run', '--rerun', id, '--only', 'changed', '--fail-under', '1')).code,
    ).to.equal(0);
    expect(draws).to.have.lengthOf(25);
  });

  it('cannot be judged or blessed when they ran with other params, whether or not these are the default', async () => {
    const settings = (params: string) =>
      project.write('assay.yaml', `configs: { default: { params: ${params} } }`);
    settings('{ model: large }');
    await assay('run', '--rerun', id, '--only', 'failed');
    const gate = async () => (await assay('sessions', 'gate', id, '--fail-under', '0.1')).code;
    expect(await gate()).to.equal(2);
    const bless = await assay('sessions', 'bless', id, 'base.json');
    expect(bless.code).to.equal(2);
    // The params of the pass again: what counts is of the same as what ran last.
    settings('{}');
    await assay('run', '--rerun', id, 'coin.eval.ts::coin[1]', 'coin.eval.ts::coin[3]');
    expect((await project.exported(id)).run.repeats).to.include({ results: 5, other_code: 3 });
    settings('{ model: large }');
    await assay('run', '--rerun', id, '--only', 'changed');
    expect((await project.exported(id)).run).to.not.have.property('repeats');
    expect(await gate()).to.equal(0);
    const { code, stderr } = await assay(
      'run',
      '--rerun',
      id,
      'coin.eval.ts::coin[1]',
      '--timeout',
      '9',
    );
    expect(code, stderr).to.equal(0);
    expect(await gate()).to.equal(2);
  });

  it('are carried over by --changed as they were drawn first', async () => {
    draws = [];
    // What has changed is told by processes of evaluations.
    project = new Project({ 'coin.eval.ts': coin() });
    const { run_id: id } = (await assay('run', '--json')).json();
    await assay('run', '--rerun', id, '--only', 'failed');
    await assay('run');
    const run = (await assay('run', '--changed', '--json')).json();
    expect(run.total_passed).to.equal(5);
    const origins = run.results.map(({ result }) => result.origin?.run_id);
    expect(new Set(origins)).to.deep.equal(new Set([id]));
    expect(draws).to.have.lengthOf(25);
  });
});
