import { expect } from 'chai';
import { Project, type Running, removeProjects } from '../helpers/project.js';
import { listWorkers, RedisUnderTest, startWorker, type WorkerOptions } from '../helpers/redis.js';

/** Cases that wait for a file, and as many as an environment variable says. */
const files = (name: string) => ({
  'package.json': `{ "name": "${name}", "type": "module" }`,
  'package-lock.json': '{}',
  'a.eval.ts': `
    import { existsSync } from 'node:fs';
    import { setTimeout as delay } from 'node:timers/promises';
    import { evaluation } from 'assay';
    import { word } from './word.ts';
    export const held = evaluation({
      cases: Array.from({ length: Number(process.env.CASES ?? 2) }, (_, at) => ({ id: 'n' + at })),
      target: async () => {
        while (!existsSync(new URL('go', import.meta.url))) await delay(10);
        return word;
      },
      evaluators: [({ output }) => output === 'word'],
    });
  `,
  'word.ts': `export const word = 'word';`,
});

describe('what runs and workers on Redis say', function () {
  this.timeout(180_000);
  let redis: RedisUnderTest;

  before(async () => {
    redis = await RedisUnderTest.start();
  });
  after(async () => {
    removeProjects();
    await redis.end();
  });

  function worker(
    project: Project,
    name: string,
    more: Pick<WorkerOptions, 'flags' | 'env'> = {},
  ): Promise<Running> {
    const flags = ['--name', name, ...(more.flags ?? [])];
    return startWorker(project, { url: redis.url, ...more, flags });
  }

  function start(project: Project, ...flags: readonly string[]): Running {
    return project.start(['run', '--redis', redis.url, '--json', ...flags]);
  }

  it('names what evaluations require and no worker offers', async () => {
    const project = new Project({
      ...files('offers'),
      'b.eval.ts': `
        import { evaluation } from 'assay';
        export const heavy = evaluation({
          cases: [{ id: 'a' }, { id: 'b' }],
          requires: ['gpu'],
          target: () => 1,
          evaluators: [() => true],
        });
      `,
      go: '',
    });
    await worker(project, 'plain');
    const running = start(project);
    await running.said(
      /No worker offers gpu: 2 evaluations in the queue wait\. Start one: assay worker --redis \S+ --offers gpu\n/,
    );
    // The evaluations that require nothing may still run.
    let listed = '';
    for (const end = performance.now() + 60_000; !/ 0 running/.test(listed); ) {
      if (performance.now() > end) break;
      listed = (await project.assay(['workers', '--redis', redis.url])).stdout;
    }
    expect(listed).to.match(/ · 2 jobs waiting, 0 running · no worker offers gpu\n/);
    await worker(project, 'strong', { flags: ['--offers', 'gpu'] });
    const ended = await running.ended;
    expect(ended.json()).to.include({ total_evaluations: 4, total_passed: 4 });
    expect(ended.stderr.split('No worker offers')).to.have.length(2);
  });

  it('says that the last worker has left, and lists the run that waits', async () => {
    const project = new Project(files('alone'));
    const one = await worker(project, 'only');
    const running = start(project, '--run-name', 'nightly', '--trials', '4');
    await one.said(/joins nightly/);
    one.child.kill('SIGINT');
    await one.said(/Stopping/);
    project.write('go', '');
    expect((await one.ended).code).to.equal(130);
    const { stdout } = await project.assay(['workers', '--redis', redis.url]);
    expect(stdout).to.match(/^No worker at redis:\S+ Start one: .*\n\n {2}run nightly · \d job/);
    await running.said(/! No worker takes part any more; the run waits\. Start one in /);
    await worker(project, 'next');
    const ended = await running.ended;
    expect(ended.json()).to.include({ total_evaluations: 8, total_passed: 8 });
    expect(ended.stderr.split('any more')).to.have.length(2);
  });

  it('says of flags what they do not do', async () => {
    const project = new Project({ ...files('flags'), go: '' });
    await worker(project, 'recorder');
    const { stderr } = await start(project, '-c', '1', '--record').ended;
    expect(stderr).to.include('--concurrency has no effect with --redis: each worker has its own.');
    expect(stderr).to.include('calls are recorded in the checkout of the worker that makes them');
    expect((await start(project).ended).stderr).to.not.include('--redis');
  });

  it('says on both sides why a worker refuses, after the worker has said who it is', async () => {
    const project = new Project({ ...files('differ'), go: '' });
    const running = start(project, '--run-name', 'nightly');
    await running.said(/No worker takes part yet/);
    const lock = new Project({ ...files('differ'), 'package-lock.json': '{ "other": 1 }' });
    const lacking = new Project(files('differ'));
    lacking.remove('word.ts');
    for (const [where, name, reason, env] of [
      [lock, 'lock', 'package-lock.json differs in its checkout', {}],
      [lacking, 'lacking', 'word.ts is missing in its checkout', {}],
      [project, 'cases', 'the eval files have other cases in its checkout', { CASES: '3' }],
    ] as const) {
      const one = await worker(where, name, { env });
      await running.said(new RegExp(`Worker ${name} refuses the run: ${reason}\\.`));
      await one.said(new RegExp(`^worker ${name} .*\\n(.*\\n)*! refuses nightly: ${reason}`));
    }
    const good = await worker(project, 'good');
    expect((await running.ended).json()).to.include({ total_passed: 2 });
    expect(good.stderr()).to.match(/^worker good .*\njoins nightly\n/);
  });

  it('does not say that others take evaluations of a run that has been stopped', async () => {
    const project = new Project(files('lost'));
    const one = await worker(project, 'lost');
    const running = start(project);
    const list = async () => (await listWorkers(project, redis.url)).workers[0];
    for (let busy = 0; busy < 2; ) busy = (await list())?.busy ?? 0;
    one.child.kill('SIGKILL');
    for (let isLost = false; !isLost; ) isLost = (await list())?.is_lost ?? false;
    const shown = () => project.assay(['workers', '--redis', redis.url]);
    expect((await shown()).stdout).to.match(/^ *lost +lost +others take its evaluations/m);
    running.child.kill('SIGINT');
    await running.ended;
    expect((await shown()).stdout).to.match(/^ *lost +lost +\w* +0 +now/m);
    expect(await list()).to.deep.include({ is_lost: true, busy: 0, running: [], runs: [] });
  });
});
