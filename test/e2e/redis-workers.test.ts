import { expect } from 'chai';
import type { RunJson } from '../../src/model/run.js';
import { Project, type Running, removeProjects } from '../helpers/project.js';
import { RedisUnderTest, startWorker } from '../helpers/redis.js';

const evals = `
  import { evaluation } from 'assay';
  import { double } from './double.ts';
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  export const numbers = evaluation({
    cases: Array.from({ length: 60 }, (_, at) => ({ id: 'n' + at, input: at, reference: at * 2 })),
    trials: 2,
    labels: ['math'],
    target: async ({ input }) => {
      await wait(Number(process.env.WAIT_MS ?? 0));
      if (input === 7) throw new Error('seven');
      return double(input);
    },
    evaluators: [({ output, reference }) => ({ key: 'exact', passed: output === reference })],
  });
  export const large = evaluation({
    input: 'long',
    target: () => 'é'.repeat(700_000),
    evaluators: [({ output }) => output.length === 700_000],
  });
  export const heavy = evaluation({ requires: ['gpu'], target: () => 'gpu', evaluators: [() => true] });
`;
const files = {
  'package.json': '{ "name": "shop", "type": "module" }',
  'a.eval.ts': evals,
  'double.ts': 'export const double = (n) => n * 2;',
};

/** The results of a run without what differs between two runs of the same code. */
function comparable(run: RunJson): string[] {
  return run.results.map(({ result, ...entry }) => {
    const { output } = result;
    const short = typeof output === 'string' ? `${output.slice(0, 10)} ${output.length}` : output;
    const same = { ...result, output: short, latency: 0, started_at: '', trace_data: {} };
    return JSON.stringify({ ...entry, result: same });
  });
}

describe('workers on Redis', function () {
  this.timeout(240_000);
  let redis: RedisUnderTest;
  let project: Project;
  let local: string[];
  /** For how long a case of `numbers` waits, to keep a run going meanwhile. */
  let waitMs = '50';

  before(async () => {
    redis = await RedisUnderTest.start();
    project = new Project(files);
    local = comparable((await project.run()).run);
  });

  after(async () => {
    removeProjects();
    await redis.end();
  });

  /** The first result that differs, and no other: all of them would be too long to read. */
  function expectLocal(run: RunJson): void {
    const results = comparable(run);
    const at = results.findIndex((result, index) => result !== local[index]);
    expect(results[at]).to.equal(local[at]);
    expect(results.length).to.equal(local.length);
  }

  function worker(name: string, ...flags: readonly string[]): Promise<Running> {
    return startWorker(project, {
      url: redis.url,
      slots: 4,
      flags: ['--name', name, '--lock-seconds', '1', ...flags],
      env: { WAIT_MS: waitMs },
    });
  }

  async function end(running: Running): Promise<number | null> {
    running.child.kill('SIGTERM');
    return (await running.ended).code;
  }

  function start(...flags: readonly string[]): Running {
    return project.start(['run', '--redis', redis.url, '--json', ...flags], {
      env: { WAIT_MS: waitMs },
    });
  }

  beforeEach(() => {
    waitMs = '50';
  });

  it('give the results of a local run', async () => {
    waitMs = '0';
    const [one, two] = await Promise.all([worker('one'), worker('two', '--offers', 'gpu')]);
    const ended = await start().ended;
    expect(ended.stderr).to.not.match(/Redis|[Ww]orker/);
    expectLocal(ended.json());
    expect(await Promise.all([end(one), end(two)])).to.deep.equal([143, 143]);
    expect(await project.processesAfter(10_000)).to.deep.equal([]);
  });

  it('go on when workers are killed, and repeat only what those had begun', async () => {
    const [first, second] = await Promise.all([
      worker('first', '--offers', 'gpu'),
      worker('second', '--offers', 'gpu'),
    ]);
    const running = start();
    await first.said(/joins/);
    first.child.kill('SIGKILL');
    expectLocal((await running.ended).json());
    await end(second);
  });

  it('keep results for a coordinator that was killed, and resume takes them', async () => {
    const one = await worker('keeper', '--offers', 'gpu');
    const killed = start('--run-name', 'killed');
    await one.said(/joins killed/);
    await new Promise((resolve) => setTimeout(resolve, 300));
    killed.child.kill('SIGKILL');
    await killed.ended;
    const resumed = await project.start([
      'run',
      '--resume',
      'killed',
      '--redis',
      redis.url,
      '--json',
    ]).ended;
    expectLocal(resumed.json());
    await end(one);
  });

  it('go on when Redis is killed and started again', async () => {
    const one = await worker('patient', '--offers', 'gpu');
    const running = start();
    await one.said(/joins/);
    await redis.kill();
    await redis.restart();
    const ended = await running.ended;
    expectLocal(ended.json());
    await end(one);
  });

  it('refuse a run whose code differs, and the run names them', async () => {
    const other = new Project({ ...files, 'double.ts': 'export const double = (n) => n + n;' });
    const refusing = await startWorker(other, { url: redis.url, flags: ['--name', 'old'] });
    const running = start();
    await running.said(/Worker old refuses the run: double.ts differs in its checkout/);
    const good = await worker('new', '--offers', 'gpu');
    const ended = await running.ended;
    expectLocal(ended.json());
    await Promise.all([end(good), end(refusing)]);
  });

  it('stop with the run', async () => {
    waitMs = '60000';
    const one = await worker('busy');
    const running = start();
    await one.said(/joins/);
    running.child.kill('SIGINT');
    expect((await running.ended).code).to.equal(130);
    await one.said(/has ended/);
    expect(await end(one)).to.equal(143);
    expect(await project.processesAfter(10_000)).to.deep.equal([]);
  });
});

describe('assay run --redis', () => {
  let project: Project;

  before(() => {
    project = new Project(files);
  });

  for (const [what, url, text] of [
    [
      'no server',
      'redis://127.0.0.1:1',
      /No Redis answers at redis:\/\/127\.0\.0\.1:1: the connection is refused/,
    ],
    ['no such address', 'http://127.0.0.1', /redis:\/\/ or rediss:\/\/ URL/],
  ] as const) {
    it(`say in one line that there is ${what}`, async () => {
      const ended = await project.assay(['run', '--redis', url]);
      expect(ended.code).to.equal(2);
      expect(ended.stderr).to.match(text);
      expect(ended.stderr).to.not.include('    at ');
    });
  }

  it('say in one line that a password or TLS is missing', async () => {
    const closed = await RedisUnderTest.start('--requirepass', 'secret-word');
    const refused = await project.assay(['run', '--redis', closed.url]);
    expect(refused.stderr).to.include(`Redis at ${closed.url} asks for a password.`);
    const wrong = await project.assay(['run', '--redis', closed.url.replace('//', '//:wrong@')]);
    expect(wrong.stderr).to.include(`Redis at ${closed.url} refuses the user or the password.`);
    expect(wrong.stderr).to.not.include('wrong');
    const tls = await project.assay(['run', '--redis', closed.url.replace('redis:', 'rediss:')]);
    expect(tls.stderr).to.match(
      /No Redis answers at rediss:.*\n.*use redis:\/\/ if it does not use TLS/,
    );
    await closed.end();
  });
});
