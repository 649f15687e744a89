import { expect } from 'chai';
import type { RunJson } from '../../src/model/run.js';
import { Project, type Running, until } from '../helpers/project.js';
import { RedisUnderTest, startWorker } from '../helpers/redis.js';

/**
 * Some cases of `numbers` wait, where a worker is told so, until there is a file. Only the tsconfig.json that the settings name
 * finds `double`.
 */
const files = {
  'package.json': '{ "name": "shop", "type": "module" }',
  'assay.yaml': 'tsconfig: conf/evals.json\nscores: { half: { scale: [0, 29] } }\n',
  'conf/evals.json': '{ "compilerOptions": { "paths": { "@/*": ["../lib/*"] } } }',
  'a.eval.ts': `
    import { existsSync, writeFileSync } from 'node:fs';
    import { evaluation } from 'assay';
    import { double } from '@/double';
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const here = (name) => new URL(name, import.meta.url);
    export const numbers = evaluation({
      cases: Array.from({ length: 60 }, (_, at) => ({ id: 'n' + at, input: at, reference: at * 2, metadata: { parity: at % 2 } })),
      cluster: 'parity',
      trials: 2,
      labels: ['math'],
      target: async ({ input }) => {
        if (existsSync(here('held'))) writeFileSync(here('begun-' + process.env.ROLE), '');
        while (existsSync(here('held'))) await wait(10);
        if (input === 7) throw new Error('seven');
        return double(input);
      },
      evaluators: [
        ({ output, reference }) => ({ key: 'exact', passed: output === reference }),
        ({ input }) => ({ key: 'half', value: input / 2 }),
      ],
    });
    export const large = evaluation({
      input: 'long',
      target: () => 'é'.repeat(700_000),
      evaluators: [({ output }) => output.length === 700_000],
    });
    export const heavy = evaluation({ requires: ['gpu'], target: () => 'gpu', evaluators: [() => true] });
  `,
  'lib/double.ts': 'export const double = (n) => n * 2;',
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
  let [first, second]: Running[] = [];

  before(async () => {
    redis = await RedisUnderTest.start();
    project = new Project(files);
    local = comparable((await project.run()).run);
    [first, second] = await Promise.all([worker('first'), worker('second', '--offers', 'gpu')]);
  });

  function worker(name: string, ...flags: readonly string[]): Promise<Running> {
    const own = ['--name', name, '--lock-seconds', '1', ...flags];
    return startWorker(project, { url: redis.url, slots: 4, flags: own, env: { ROLE: name } });
  }

  /** The first result that differs, and no other: all of them would be too long to read. */
  function expectLocal(run: RunJson): void {
    const results = comparable(run);
    const at = results.findIndex((result, index) => result !== local[index]);
    expect(results[at]).to.equal(local[at]);
    expect(results.length).to.equal(local.length);
  }

  const args = () => ['run', '--redis', redis.url, '--json'];

  /** Evaluations wait from now on; resolves once these workers have some. */
  const hold = () => project.write('held', '');
  const untilHeld = (...names: readonly string[]) =>
    until(() => names.every((name) => project.has(`begun-${name}`)), 'evaluations that wait');

  it('give the results of a local run', async () => {
    const ended = await project.assay(args());
    // On a slow machine it may say that no worker takes part yet.
    expect(ended.stderr).to.not.match(/Redis (is|does|refuses|has)|differs|left the run/);
    expectLocal(ended.json());
  });

  it('go on when one is killed', async () => {
    hold();
    const running = project.assay(args());
    await untilHeld('first', 'second');
    first?.child.kill('SIGKILL');
    project.remove('held');
    expectLocal((await running).json());
  });

  it('stop with the run, and leave no process when they end', async () => {
    project.remove('begun-second');
    hold();
    const running = project.start(args());
    await untilHeld('second');
    running.child.kill('SIGINT');
    expect((await running.ended).code).to.equal(130);
    // It leaves the run even if it is ended before it has heard that the run has.
    second?.child.kill('SIGTERM');
    expect((await second?.ended)?.code).to.equal(143);
    expect(await project.processesLeft()).to.deep.equal([]);
  });
});
