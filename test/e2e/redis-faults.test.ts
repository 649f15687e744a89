import { expect } from 'chai';
import { Project, until } from '../helpers/project.js';
import { RedisUnderTest, startWorker, waitingRows, workersOf, workHere } from '../helpers/redis.js';
import { ServedProject } from '../helpers/served-project.js';

const all = { total_evaluations: 8, total_passed: 8 };

describe('assay run and assay worker when something is wrong with Redis', function () {
  this.timeout(240_000);
  let redis: RedisUnderTest;
  let project: Project;

  beforeEach(async () => {
    redis = await RedisUnderTest.start();
    project = new Project(waitingRows(8));
  });
  afterEach(() => redis.kill());

  const ran = () => project.read('ran').length;
  /** Waits until two evaluations have ended, and so many have begun. */
  const untilRan = (count: number) =>
    until(() => project.finishedResults() >= 2 && ran() === count, `${count} evaluations`);

  it('wait for room when it is full at the start, can be stopped then, and leave nothing', async () => {
    redis.cli('config', 'set', 'maxmemory', '1kb');
    const start = (...args: string[]) => project.start([...args, '--redis', redis.url]);
    const [stopped, worker, run] = [start('worker'), start('worker', '-c', '2'), start('run')];
    const all = [stopped, worker, run];
    await Promise.all(all.map((one) => one.said(/Redis is full \(maxmemory\)/)));
    stopped.child.kill('SIGINT');
    expect((await stopped.ended).code).to.equal(130);
    redis.cli('config', 'set', 'maxmemory', '0');
    await untilRan(4);
    redis.cli('config', 'set', 'maxmemory', '1kb');
    await run.said(/Redis is full[\s\S]*Redis is full/);
    run.child.kill('SIGINT');
    expect((await run.ended).code).to.equal(130);
    expect(all.map((one) => one.stderr()).join('')).to.not.match(/^ +at |OOM|✗/m);
    expect(redis.cli('keys', '*run-*')).to.equal('');
  });

  it('deliver what they have before they end, or end at the second signal, also while it is away', async () => {
    const served = await ServedProject.start(project, { redis: redis.url });
    const one = await startWorker(project, { url: redis.url, slots: 1 });
    const flags = ['--lock-seconds', '1'];
    const two = await startWorker(project, { url: redis.url, slots: 1, flags });
    await served.post('/api/runs/rerun');
    await untilRan(4);
    await redis.kill();
    for (const worker of [one, two]) {
      await worker.said(/The connection to Redis is lost/);
      worker.child.kill('SIGINT');
      await worker.said(/Stopping\. 1 evaluation will finish first; Ctrl-C again ends them\./);
    }
    two.child.kill('SIGINT');
    expect((await two.ended).code).to.equal(130);
    project.write('go', '');
    await redis.restart();
    expect((await one.ended).code).to.equal(130);
    await until(() => project.finishedResults() === 3, 'the result of the first worker');
    expect(ran()).to.equal(4);
  });

  it('keep the results of a run whose coordinator died, and remove what is left of others', async () => {
    await workHere(project, { url: redis.url });
    const begin = (name: string) =>
      project.start(['run', '--redis', redis.url, '--run-name', name]);
    const killed = begin('killed');
    await untilRan(4);
    killed.child.kill('SIGKILL');
    await killed.ended;
    const stopped = begin('stopped');
    await until(() => project.finishedResults() === 4, 'results of the other run');
    await redis.kill();
    await stopped.said(/The connection to Redis is lost/);
    stopped.child.kill('SIGINT');
    const ended = await stopped.ended;
    expect(ended.code).to.equal(130);
    expect(ended.stderr).to.match(/! The queue of the run stays in Redis, which does not answer; /);
    await redis.restart();
    project.write('go', '');

    // As if two minutes had passed.
    const list = redis.cli('keys', '*:runs');
    const saved = redis.cli('hvals', list).split('\n');
    expect(saved).to.have.length(2);
    for (const text of saved) {
      const manifest = JSON.parse(text);
      const at = new Date(Date.parse(manifest.at) - 120_000).toISOString();
      redis.cli('hset', list, manifest.run.runId, JSON.stringify({ ...manifest, at }));
    }
    const run = async (...args: string[]) =>
      (await project.run([...args, '--redis', redis.url])).run;
    expect(await run()).to.include(all);
    // That of the coordinator that died stays, for its results.
    expect(redis.cli('hlen', list)).to.equal('1');
    expect(await run('--resume', 'killed')).to.include(all);
    // The workers may still be leaving.
    await until(() => redis.cli('keys', '*:run*') === '', 'an empty Redis');
    // All of two runs, and of the third at least the two that have ended; none twice.
    expect(ran()).to.be.within(18, 24);
  });

  it('remove with the last worker what a queue has made again after its run was removed', async () => {
    const one = await workHere(project, { url: redis.url, lockMs: 1_000 });
    const killed = project.start(['run', '--redis', redis.url]);
    await untilRan(4);
    killed.child.kill('SIGKILL');
    await killed.ended;
    redis.cli('flushall');
    project.write('go', '');
    await until(() => redis.cli('keys', '*:run-*') !== '', 'keys of the queue');
    await one.end();
    expect(redis.cli('keys', '*:run-*')).to.equal('');
  });

  it('run what was written after a coordinator died, not what a worker imported before', async () => {
    const one = await workHere(project, { url: redis.url });
    const killed = project.start(['run', '--redis', redis.url, '--run-name', 'killed']);
    await untilRan(4);
    killed.child.kill('SIGKILL');
    await killed.ended;
    // Nobody has told the worker that this execution is over.
    expect(one.worker.runs).to.deep.equal(['killed']);
    project.write(
      'a.eval.ts',
      project.read('a.eval.ts').replace(`return 'done'`, `return 'done again'`),
    );
    project.write('go', '');
    const { run } = await project.run(['--resume', 'killed', '--redis', redis.url]);
    expect(run).to.include(all);
    const outputs = run.results.map(({ result }) => result.output);
    expect(outputs.slice(0, 2)).to.deep.equal(['done', 'done']);
    expect(outputs.slice(4)).to.deep.equal(Array(4).fill('done again'));
  });

  it('have nothing left of a run that was resumed without them, once it is resumed with them', async () => {
    await workHere(project, { url: redis.url });
    const killed = project.start(['run', '--redis', redis.url, '--run-name', 'killed']);
    await untilRan(4);
    killed.child.kill('SIGKILL');
    await killed.ended;
    project.write('go', '');
    expect((await project.run(['--resume', 'killed'])).run).to.include(all);
    expect((await workersOf(project, redis.url)).runs).to.have.length(1);
    const { stderr } = await project.assay(['run', '--resume', 'killed', '--redis', redis.url]);
    expect(stderr).to.include('there is nothing to do');
    expect((await workersOf(project, redis.url)).runs).to.deep.equal([]);
  });
});
