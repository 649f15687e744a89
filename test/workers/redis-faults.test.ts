import { expect } from 'chai';
import { CuttableProxy } from '../helpers/cuttable-proxy.js';
import { Project, until } from '../helpers/project.js';
import {
  RedisUnderTest,
  type WorkerHere,
  waitingRows,
  workersOf,
  workHere,
} from '../helpers/redis.js';
import { fewOf } from '../helpers/rounds.js';
import { ServedProject } from '../helpers/served-project.js';

const files = waitingRows(12, "'done ' + 'x'.repeat(20_000)");

const noPermission =
  /Redis at \S+ does not allow what assay needs \(.*\)\. Its user needs all commands, /;
const noPassword = /Redis at \S+ asks for a password\. Give the user and the password /;
const full = /^Redis is full/;
const lost = /^The connection to Redis is lost\. assay keeps trying; /;
const left = /^The queue of the run stays in Redis, which does not answer; /;

/** What changes in a server so that it refuses, what the user reads then, and what allows everything again. */
const refusals = {
  'a password': {
    refuse: (redis: RedisUnderTest) => redis.cli('config', 'set', 'requirepass', 'secret-word'),
    text: noPassword,
    allow: (redis: RedisUnderTest) =>
      redis.cli('-a', 'secret-word', '--no-auth-warning', 'config', 'set', 'requirepass', ''),
  },
  'a command': {
    refuse: (redis: RedisUnderTest) => redis.cli('acl', 'setuser', 'default', '-hset'),
    text: noPermission,
    allow: (redis: RedisUnderTest) => redis.cli('acl', 'setuser', 'default', '+@all'),
  },
};

describe('a run on workers', function () {
  this.timeout(240_000);
  let redis: RedisUnderTest;
  let served: ServedProject;
  let worker: WorkerHere;

  before(async () => {
    redis = await RedisUnderTest.start();
  });

  afterEach(async () => {
    await worker.end();
    await served.close();
    redis.cli('flushall');
  });

  /** A server as a coordinator, and a worker. */
  async function begin({ url = redis.url, workerUrl = redis.url } = {}): Promise<void> {
    const project = new Project(files);
    served = await ServedProject.start(project, { redis: url });
    worker = await workHere(project, { url: workerUrl });
  }

  const ran = () => served.read('ran').length;
  const go = () => served.project.write('go', '');
  const post = async (path: string) => expect((await served.post(`/api/runs/${path}`)).status);
  const said = (text: RegExp) =>
    until(() => served.warnings.some((one) => text.test(one)), `${text}`);
  const hasSaid = (text: RegExp) =>
    until(() => worker.warnings.some((one) => text.test(one)), `${text}`);

  /** Begins a run: two evaluations have ended, and two wait. */
  async function beginRun(): Promise<void> {
    (await post('rerun')).to.equal(200);
    await until(() => served.project.finishedResults() === 2 && ran() === 4, 'the first results');
  }

  /** The run has all of its results, of one attempt each unless the range says otherwise. */
  async function expectAll(most = 12): Promise<void> {
    const run = await served.until(({ state }) => state === 'finished');
    expect(run).to.include({ total_evaluations: 12, total_passed: 12 });
    expect(ran()).to.be.within(12, most);
  }

  /** Nobody hears an error that is not reported, or twice. */
  function expectOnce(text: RegExp, warnings: readonly string[] = served.warnings): void {
    expect(
      warnings.filter((one) => text.test(one)),
      warnings.join('\n'),
    ).to.have.length(1);
    expect(warnings.join('\n')).to.not.match(/^ +at |secret-word/m);
  }

  for (const [what, { refuse, text, allow }] of fewOf(Object.entries(refusals), 1)) {
    it(`is interrupted when it needs ${what}, and can be resumed`, async () => {
      await begin();
      go();
      refuse(redis);
      (await post('rerun')).to.equal(200);
      await said(text);
      await served.until(({ state }) => state === 'interrupted');
      expectOnce(text);
      allow(redis);
      (await post('resume')).to.equal(200);
      await expectAll();
    });
  }

  it('goes on when it may do again what it needs and Redis has room for its results, and repeats nothing', async () => {
    const { refuse, text, allow } = refusals['a command'];
    await begin();
    await beginRun();
    refuse(redis);
    go();
    await Promise.all([said(text), hasSaid(text)]);
    redis.cli('config', 'set', 'maxmemory', '1kb');
    allow(redis);
    await hasSaid(full);
    redis.cli('config', 'set', 'maxmemory', '0');
    await expectAll();
    expectOnce(text);
    expectOnce(text, worker.warnings);
    expectOnce(full, worker.warnings);
  });

  const outages = {
    'a Redis without persistence is killed and started again': async () => {
      const forgetful = await RedisUnderTest.start('--appendonly', 'no');
      await begin({ url: forgetful.url, workerUrl: forgetful.url });
      await beginRun();
      await forgetful.kill();
      await said(lost);
      go();
      await forgetful.restart();
      await expectAll(24);
      expectOnce(/^Redis is back\.$/);
    },
    'the network to a worker was cut, and repeats nothing': async () => {
      const proxy = await CuttableProxy.start(redis.port);
      await begin({ workerUrl: `redis://127.0.0.1:${proxy.port}` });
      await beginRun();
      proxy.cut();
      go();
      await until(() => worker.worker.running === 0, 'results that cannot be delivered');
      proxy.mend();
      await expectAll();
      proxy.end();
    },
  };
  for (const [what, happens] of fewOf(Object.entries(outages), 1)) {
    it(`goes on when ${what}`, happens);
  }

  it('begins when Redis is back, which is said to be away, goes on when it is back again, and repeats nothing', async () => {
    const back = /^Redis is back\.$/;
    const countOf = (text: RegExp) => served.warnings.filter((one) => text.test(one)).length;
    await begin();
    await redis.kill();
    await said(lost);
    (await post('rerun')).to.equal(200);
    const workers = await served.get('/api/workers');
    expect(workers.status).to.equal(503);
    expect(workers.text).to.include('does not answer');
    expectOnce(lost);
    await redis.restart();
    await until(() => served.project.finishedResults() === 2 && ran() === 4, 'the first results');
    expectOnce(back);
    await redis.kill();
    await until(() => countOf(lost) === 2, 'the second loss');
    go();
    await redis.restart();
    await expectAll();
    expect([countOf(lost), countOf(back)]).to.deep.equal([2, 2]);
  });

  it('can be stopped while it waits for Redis, and so can the server', async () => {
    await begin();
    await redis.kill();
    await said(lost);
    await post('rerun');
    (await post('stop')).to.equal(200);
    await served.until(({ state }) => state === 'finished');
    await served.close();
    await redis.restart();
  });

  it('hears why Redis does not let it in again', async () => {
    const { refuse, text, allow } = refusals['a password'];
    const proxy = await CuttableProxy.start(redis.port);
    await begin({ url: `redis://127.0.0.1:${proxy.port}` });
    proxy.cut();
    await said(lost);
    refuse(redis);
    proxy.mend();
    await said(text);
    allow(redis);
    await said(/^Redis is back\.$/);
    expect((await served.get('/api/workers')).status).to.equal(200);
    expectOnce(text);
    proxy.end();
  });

  it('leaves nothing in Redis, also when it ends while Redis is away', async () => {
    await begin();
    await beginRun();
    await redis.kill();
    await said(lost);
    await post('stop');
    await said(left);
    await redis.restart();
    await until(() => redis.cli('keys', '*run*') === '', 'an empty Redis');
  });

  it('is on the workers of its own project only', async () => {
    await begin();
    const other = new Project(files);
    await workHere(other, { url: redis.url, name: 'other' });
    go();
    (await post('rerun')).to.equal(200);
    await expectAll();
    expect(other.read('ran')).to.equal('');
    for (const [project, name] of [
      [served.project, 'here'],
      [other, 'other'],
    ] as const) {
      const { workers } = await workersOf(project, redis.url);
      expect(workers.map((one) => one.name)).to.deep.equal([name]);
    }
  });
});
