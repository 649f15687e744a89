import assert from 'node:assert/strict';
import { type JsonRun, Project, type Running } from '../helpers/project.js';
import { RedisUnderTest, startWorker } from '../helpers/redis.js';

const files = {
  'package.json': '{ "name": "shop", "type": "module" }',
  'a.eval.ts': `
    import { appendFileSync, readFileSync } from 'node:fs';
    import { evaluation } from 'assay';
    import { up } from './up.ts';
    export const reads = evaluation({
      cases: Array.from({ length: 6 }, (_, n) => ({ id: String(n), input: n })),
      target: ({ input }) => {
        appendFileSync('called.log', process.env.ROLE + '\\n');
        return readFileSync('prompt.md', 'utf8') + input;
      },
      evaluators: [function long({ output }) { return output.length > 2; }],
    });
    export const variable = evaluation({ target: () => up(process.env.APP_MODE ?? '') });`,
  'up.ts': 'export const up = (text) => text.toUpperCase();\n',
  'prompt.md': 'Hello ',
  'called.log': '',
};

describe('assay run --redis and --changed', function () {
  this.timeout(120_000);
  let redis: RedisUnderTest;
  let project: Project;
  let working: Running | undefined;
  async function startFirst(env: Readonly<Record<string, string>> = {}): Promise<void> {
    working = await startWorker(project, {
      url: redis.url,
      flags: ['--name', 'first', '--lock-seconds', '1'],
      env: { ROLE: 'first', APP_MODE: 'a', ...env },
    });
  }
  // The machine that begins a run has the environment of its workers.
  const run = (args: readonly string[], mode = 'a') =>
    project.run(args, { env: { APP_MODE: mode, ROLE: 'first' } });
  const carried = ({ run: { results } }: JsonRun) =>
    results.filter(({ result }) => result.origin !== undefined).length;
  const reasons = ({ run: { results } }: JsonRun) =>
    new Set(results.flatMap(({ result }) => result.reason ?? []));
  const called = () => project.read('called.log').split('\n').filter(Boolean);

  before(async () => {
    redis = await RedisUnderTest.start();
  });

  beforeEach(() => {
    project = new Project(files);
  });

  afterEach(async () => {
    working?.child.kill('SIGTERM');
    await working?.ended;
  });

  it('carry over what ran on workers, and run on workers what has changed', async () => {
    await startFirst();
    const onRedis = ['--redis', redis.url];
    const all = await run(onRedis);
    assert.doesNotMatch(all.stderr, /not analysed/);
    assert.deepEqual(called(), Array(6).fill('first'));
    assert.equal(carried(await run(['--changed'])), 7);
    assert.equal(called().length, 6);

    project.write('prompt.md', 'Good day ');
    const some = await run(['--changed', ...onRedis]);
    assert.deepEqual([...reasons(some)], ['prompt.md']);
    assert.equal(some.result('reads[0]').output, 'Good day 0');
    assert.equal(called().length, 12);

    // Grading again needs no worker to call the target.
    project.write('a.eval.ts', project.read('a.eval.ts').replace('> 2', '> 3'));
    const graded = await run(['--changed', ...onRedis]);
    assert.equal(called().length, 12);
    assert.equal(graded.result('reads[0]').origin?.kind, 'regraded');

    // The hash of a variable is that of the machine on which it was read.
    const other = await run(['--changed'], 'b');
    assert.deepEqual([...reasons(other)], ['APP_MODE']);
    assert.equal(other.result('variable').output, 'B');
  });

  it('refuse workers with another major version of Node unless any may take part, and carry over nothing of another machine', async () => {
    await startFirst({ TZ: 'Asia/Tokyo' });
    const versions = '{ ...process.versions, node: "99.1.0" }';
    const old = `data:text/javascript,Object.defineProperty(process, "versions", { value: ${versions} })`;
    const start = (...flags: readonly string[]) =>
      project.start(['run', '--redis', redis.url, '--json', ...flags], {
        node: ['--import', old],
        env: { APP_MODE: 'a' },
      });
    const refused = start();
    await refused.said(/it has Node [\d.]+, the run 99\.1\.0 \(--any-node lets it take part\)/);
    refused.child.kill('SIGINT');
    assert.equal((await refused.ended).code, 130);
    assert.equal(called().length, 0);
    const any = await start('--any-node').ended;
    assert.equal(any.json().total_errors, 0);
    assert.equal(called().length, 6, any.stderr);
    const again = await run(['--changed']);
    assert.equal(carried(again), 0);
    const why = /ran on a worker with another (?=.*version of Node).*time zone/;
    assert.match([...reasons(again)].join(), why);
  });
});
