import { expect } from 'chai';
import { CuttableProxy } from '../helpers/cuttable-proxy.js';
import { Project, removeProjects, until } from '../helpers/project.js';
import { RedisUnderTest, startWorker } from '../helpers/redis.js';
import { endServing, type Serving, serve, untilState } from './serve-process.js';

/** Each attempt of a target writes a letter, so that repeated work is seen; all but the first two wait for a file. */
const files = {
  'package.json': '{ "name": "refused", "type": "module" }',
  'a.eval.ts': `
    import { appendFileSync, existsSync } from 'node:fs';
    import { setTimeout as delay } from 'node:timers/promises';
    import { evaluation } from 'assay';
    const here = (file) => new URL(file, import.meta.url);
    export const row = evaluation({
      cases: Array.from({ length: 12 }, (_, at) => ({ id: 'n' + at, input: at })),
      target: async ({ input }) => {
        appendFileSync(here('ran'), '.');
        while (input > 1 && !existsSync(here('go'))) await delay(10);
        return 'done';
      },
      evaluators: [({ output }) => output === 'done'],
    });
  `,
  ran: '',
};

const noPermission =
  /! .*Redis at \S+ does not allow what assay needs \(.*\)\. Its user needs all commands, .*\n/;
const noPassword = /! .*Redis at \S+ asks for a password\. Give the user and the password .*\n/;
const lost = /! The connection to Redis is lost\. assay keeps trying; .*\n/;

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

describe('assay serve --redis when Redis refuses something or goes away', function () {
  this.timeout(240_000);
  let redis: RedisUnderTest;
  let project: Project;

  beforeEach(async () => {
    redis = await RedisUnderTest.start();
    project = new Project(files);
  });
  afterEach(async () => {
    await endServing();
    removeProjects();
    await redis.end();
  });

  const start = (url = redis.url): Promise<Serving> => serve(project, ['--redis', url]);
  const post = (server: Serving, path: string) =>
    fetch(`${server.url}/api/runs/${path}`, { method: 'POST' });
  const ran = () => project.read('ran').length;
  /** Nobody hears an error that is not reported, or twice. */
  function expectOnce(said: string, text: RegExp): void {
    expect(said.match(new RegExp(text, 'g')), said).to.have.length(1);
    expect(said).to.not.match(/^ +at |secret-word/m);
  }

  it('does not start, and says why in one line', async () => {
    redis.cli('acl', 'setuser', 'lim', 'on', '>secret-word', '~*', '&*', '+@all', '-info');
    redis.cli('acl', 'setuser', 'default', '>secret-word', 'resetpass', '>secret-word');
    for (const [login, path, text] of [
      ['', '', /asks for a password\.\n/],
      [':secret-words@', '', /refuses the user or the password\.\n/],
      ['lim:secret-word@', '', /does not allow what assay needs \(NOPERM .*'info' command\)\.\n/],
      [':secret-word@', '/99', /has no such database: DB index is out of range\.\n/],
    ] as const) {
      const url = redis.url.replace('//', `//${login}`) + path;
      const { code, stderr } = await project.start(['serve', '--redis', url]).ended;
      expect(stderr, url).to.match(
        new RegExp(`^✗ Redis at ${redis.url}${path} ${text.source}`, 'm'),
      );
      expect(stderr).to.not.match(/^ +at |secret-word/m);
      expect(code).to.equal(2);
    }
  });

  for (const [what, { refuse, text, allow }] of Object.entries(refusals)) {
    it(`interrupts a run that needs ${what}, and resumes it`, async () => {
      const server = await start();
      await startWorker(project, { url: redis.url });
      project.write('go', '');
      refuse(redis);
      expect((await post(server, 'rerun')).status).to.equal(200);
      await server.said(text);
      await untilState(server.url, 'interrupted');
      expectOnce(server.stderr(), text);
      allow(redis);
      expect((await post(server, 'resume')).status).to.equal(200);
      expect(await untilState(server.url, 'finished')).to.include({ total_passed: 12 });
      expect(ran()).to.equal(12);
    });
  }

  it('goes on with a run when it may do again what it needs, and repeats nothing', async () => {
    const { refuse, text, allow } = refusals['a command'];
    const server = await start();
    const worker = await startWorker(project, { url: redis.url });
    await post(server, 'rerun');
    await until(() => project.finishedResults() === 2 && ran() === 4, 'the first results');
    refuse(redis);
    project.write('go', '');
    await Promise.all([server.said(text), worker.said(text)]);
    allow(redis);
    expect(await untilState(server.url, 'finished')).to.include({ total_passed: 12 });
    expect(ran()).to.equal(12);
    expectOnce(server.stderr(), text);
    expectOnce(worker.stderr(), text);
  });

  it('waits with a run until Redis has room', async () => {
    const text = /! Redis is full \(maxmemory\)\. The run waits until there is room; .*\n/;
    const server = await start();
    await startWorker(project, { url: redis.url });
    project.write('go', '');
    redis.cli('config', 'set', 'maxmemory', '1kb');
    expect((await post(server, 'rerun')).status).to.equal(200);
    await server.said(text);
    redis.cli('config', 'set', 'maxmemory', '0');
    expect(await untilState(server.url, 'finished')).to.include({ total_passed: 12 });
    expect(ran()).to.equal(12);
    expectOnce(server.stderr(), text);
  });

  it('says that Redis is away before a run, which begins when it is back', async () => {
    const server = await start();
    await redis.kill();
    await server.said(lost);
    project.write('go', '');
    expect((await post(server, 'rerun')).status).to.equal(200);
    const workers = await fetch(`${server.url}/api/workers`);
    expect(workers.status).to.equal(503);
    expect(await workers.text()).to.include('does not answer');
    await redis.restart();
    await startWorker(project, { url: redis.url });
    expect(await untilState(server.url, 'finished')).to.include({ total_passed: 12 });
    expect(server.stderr()).to.match(/! Redis is back\.\n/);
    expectOnce(server.stderr(), lost);
  });

  it('stops a run that waits for Redis, and ends', async () => {
    const server = await start();
    await redis.kill();
    await server.said(lost);
    await post(server, 'rerun');
    expect((await post(server, 'stop')).status).to.equal(200);
    await untilState(server.url, 'finished');
    server.child.kill('SIGTERM');
    expect((await server.ended).code).to.equal(143);
  });

  it('says why Redis does not let it in again', async () => {
    const proxy = await CuttableProxy.start(redis.port);
    const server = await start(`redis://127.0.0.1:${proxy.port}`);
    proxy.cut();
    await server.said(lost);
    refusals['a password'].refuse(redis);
    proxy.mend();
    await server.said(noPassword);
    refusals['a password'].allow(redis);
    await server.said(/Redis is back/);
    expect((await fetch(`${server.url}/api/workers`)).status).to.equal(200);
    expectOnce(server.stderr(), noPassword);
    proxy.end();
  });

  it('removes from Redis what a run has left that ended while Redis was away', async () => {
    const server = await start();
    await startWorker(project, { url: redis.url });
    await post(server, 'rerun');
    await until(() => project.finishedResults() === 2 && ran() === 4, 'the first results');
    await redis.kill();
    await server.said(lost);
    await post(server, 'stop');
    await server.said(/! The queue of the run stays in Redis, which does not answer; .*\n/);
    await redis.restart();
    await until(() => redis.cli('keys', '*run*') === '', 'an empty Redis');
  });
});
