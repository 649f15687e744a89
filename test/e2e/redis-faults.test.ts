import { readdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { expect } from 'chai';
import { CuttableProxy } from '../helpers/cuttable-proxy.js';
import { Project, removeProjects, until } from '../helpers/project.js';
import { listWorkers, RedisUnderTest, startWorker } from '../helpers/redis.js';
import { times } from '../helpers/rounds.js';

/** Each attempt of a target writes a file, so that repeated work is seen. */
const files = (name: string) => ({
  'package.json': `{ "name": "${name}", "type": "module" }`,
  'a.eval.ts': `
    import { writeFileSync } from 'node:fs';
    import { setTimeout as delay } from 'node:timers/promises';
    import { evaluation } from 'assay';
    export const row = evaluation({
      cases: Array.from({ length: 40 }, (_, at) => ({ id: 'n' + at, input: at })),
      target: async ({ input }) => {
        writeFileSync(new URL('ran-' + input + '-' + process.hrtime.bigint(), import.meta.url), '');
        await delay(50);
        return '${name} ' + 'x'.repeat(20_000);
      },
      evaluators: [({ output }) => output.startsWith('${name} ')],
    });
  `,
});

describe('workers on Redis when something is wrong', function () {
  this.timeout(180_000);
  let redis: RedisUnderTest;

  before(async () => {
    redis = await RedisUnderTest.start();
  });
  after(async () => {
    removeProjects();
    await redis.end();
  });

  function ran(project: Project): number {
    return readdirSync(project.folder).filter((name) => name.startsWith('ran-')).length;
  }

  it('run nothing twice when the network is cut between a worker and Redis', async () => {
    const project = new Project(files('cut'));
    const proxy = await CuttableProxy.start(redis.port);
    const one = await startWorker(project, { url: `redis://127.0.0.1:${proxy.port}` });
    const running = project.start(['run', '--redis', redis.url, '--json']);
    await until(() => ran(project) > 4, 'the first evaluations');
    proxy.cut();
    // npm run test:long cuts for 20 s.
    await new Promise((resolve) => setTimeout(resolve, times(2_000)));
    proxy.mend();
    const ended = await running.ended;
    expect(ended.json()).to.include({ total_evaluations: 40, total_passed: 40 });
    expect(ran(project)).to.equal(40);
    one.child.kill('SIGTERM');
    expect((await one.ended).code).to.equal(143);
    proxy.end();
  });

  it('wait when Redis is full, say so in one line, and lose and repeat nothing', async () => {
    const project = new Project(files('full'));
    const one = await startWorker(project, { url: redis.url });
    const running = project.start(['run', '--redis', redis.url, '--json']);
    await until(() => ran(project) > 4, 'the first evaluations');
    redis.cli('config', 'set', 'maxmemory', '1mb');
    const all = () => `${running.stderr()}${one.stderr()}`;
    await until(() => all().includes('Redis is full (maxmemory)'), 'the line');
    redis.cli('config', 'set', 'maxmemory', '0');
    const ended = await running.ended;
    expect(ended.json()).to.include({ total_evaluations: 40, total_passed: 40 });
    expect(ran(project)).to.equal(40);
    expect(ended.stderr.split('Redis is full').length).to.be.at.most(2);
    expect(all()).to.not.match(/^ +at /m);
  });

  it('wait for room in Redis when it is full at the start', async () => {
    const project = new Project(files('early'));
    const server = await RedisUnderTest.start(
      '--maxmemory',
      '1kb',
      '--maxmemory-policy',
      'noeviction',
    );
    const one = project.start(['worker', '--redis', server.url, '-c', '2']);
    const given = project.start(['worker', '--redis', server.url]);
    const running = project.start(['run', '--redis', server.url, '--json']);
    const stopped = project.start(['run', '--redis', server.url]);
    const all = [one, given, running, stopped];
    await Promise.all(all.map((command) => command.said(/Redis is full \(maxmemory\)/)));
    for (const command of [given, stopped]) command.child.kill('SIGINT');
    expect((await given.ended).code).to.equal(130);
    expect((await stopped.ended).code).to.equal(130);
    server.cli('config', 'set', 'maxmemory', '0');
    expect((await running.ended).json()).to.include({ total_evaluations: 40, total_passed: 40 });
    expect(all.map((command) => command.stderr()).join('')).to.not.match(/^ +at |OOM|✗/m);
    await server.end();
  });

  it('leave nothing of a run that is stopped while Redis is full', async () => {
    const project = new Project(files('leave'));
    const server = await RedisUnderTest.start();
    await startWorker(project, { url: server.url });
    const running = project.start(['run', '--redis', server.url]);
    await until(() => ran(project) > 4, 'the first evaluations');
    server.cli('config', 'set', 'maxmemory', '1kb');
    await running.said(/Redis is full/);
    running.child.kill('SIGINT');
    const ended = await running.ended;
    expect(ended.code).to.equal(130);
    expect(ended.stderr).to.not.match(/^ +at |OOM|✗/m);
    expect(server.cli('keys', '*run-*')).to.equal('');
    await server.end();
  });

  it('end with what they have delivered when they are stopped while Redis is away', async () => {
    const project = new Project(files('away'));
    const server = await RedisUnderTest.start();
    const one = await startWorker(project, { url: server.url });
    const running = project.start(['run', '--redis', server.url, '--json']);
    await until(() => ran(project) > 4, 'the first evaluations');
    await server.kill();
    await one.said(/The connection to Redis is lost/);
    one.child.kill('SIGINT');
    await one.said(/Stopping/);
    await server.restart();
    expect((await one.ended).code).to.equal(130);
    await startWorker(project, { url: server.url });
    expect((await running.ended).json()).to.include({ total_evaluations: 40, total_passed: 40 });
    expect(ran(project)).to.equal(40);
    await server.end();
  });

  it('end at the second signal, also while Redis is away', async () => {
    const project = new Project(files('gone'));
    const server = await RedisUnderTest.start();
    const one = await startWorker(project, { url: server.url });
    const running = project.start(['run', '--redis', server.url, '--json']);
    await until(() => ran(project) > 4, 'the first evaluations');
    await server.kill();
    await one.said(/The connection to Redis is lost/);
    one.child.kill('SIGINT');
    await one.said(/Stopping/);
    one.child.kill('SIGINT');
    expect((await one.ended).code).to.equal(130);
    running.child.kill('SIGKILL');
    await server.end();
  });

  it('have nothing left of a run that was resumed without them, once it is resumed with them', async () => {
    const project = new Project(files('again'));
    await startWorker(project, { url: redis.url });
    const killed = project.start(['run', '--redis', redis.url, '--run-name', 'killed']);
    await until(() => ran(project) > 4, 'the first evaluations');
    killed.child.kill('SIGKILL');
    await killed.ended;
    const runs = async () => (await listWorkers(project, redis.url)).runs;
    const resumed = await project.run(['--resume', 'killed']);
    expect(resumed.run).to.include({ total_evaluations: 40, total_passed: 40 });
    expect(await runs()).to.have.length(1);
    const { stderr } = await project.assay(['run', '--resume', 'killed', '--redis', redis.url]);
    expect(stderr).to.include('there is nothing to do');
    expect(await runs()).to.deep.equal([]);
  });

  it('leave nothing of a run that ended while Redis was away, once another has run', async () => {
    const project = new Project(files('later'));
    const server = await RedisUnderTest.start();
    await startWorker(project, { url: server.url });
    const begin = async (name: string) => {
      const before = project.finishedResults();
      const running = project.start(['run', '--redis', server.url, '--json', '--run-name', name]);
      await until(() => project.finishedResults() > before + 2, 'the first results');
      return running;
    };
    const killed = await begin('killed');
    killed.child.kill('SIGKILL');
    await killed.ended;
    const stopped = await begin('stopped');
    await server.kill();
    await stopped.said(/The connection to Redis is lost/);
    stopped.child.kill('SIGINT');
    const ended = await stopped.ended;
    expect(ended.code).to.equal(130);
    expect(ended.stderr).to.match(/! The queue of the run stays in Redis, which does not answer; /);
    await server.restart();

    // As if two minutes had passed.
    const list = 'assay:{later}:runs';
    const saved = server.cli('hvals', list).split('\n');
    expect(saved).to.have.length(2);
    for (const text of saved) {
      const manifest = JSON.parse(text);
      const at = new Date(Date.parse(manifest.at) - 120_000).toISOString();
      server.cli('hset', list, manifest.run.runId, JSON.stringify({ ...manifest, at }));
    }
    const { run } = await project.run(['--redis', server.url]);
    expect(run).to.include({ total_evaluations: 40, total_passed: 40 });
    // That of the coordinator that died stays, for its results.
    expect(server.cli('hlen', list)).to.equal('1');
    const resumed = await project.run(['--resume', 'killed', '--redis', server.url]);
    expect(resumed.run).to.include({ total_evaluations: 40, total_passed: 40 });
    expect(server.cli('keys', '*:run*')).to.equal('');
    await server.end();
  });

  it('keep two projects in one Redis apart', async () => {
    const [mine, other] = [new Project(files('mine')), new Project(files('other'))];
    await Promise.all([mine, other].map((one) => startWorker(one, { url: redis.url })));
    const ends = await Promise.all(
      [mine, other].map((one) => one.start(['run', '--redis', redis.url, '--json']).ended),
    );
    for (const end of ends) expect(end.json()).to.include({ total_passed: 40 });
    expect([ran(mine), ran(other)]).to.deep.equal([40, 40]);
    expect((await listWorkers(mine, redis.url)).workers).to.have.length(1);
  });

  it('say in one line what Redis refuses, and what answers instead of it', async () => {
    const project = new Project(files('refused'));
    redis.cli('acl', 'setuser', 'lim', 'on', '>pw', '~other:*', '&*', '+@all');
    const page = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    const { port } = page.address() as AddressInfo;
    for (const [url, text] of [
      [
        redis.url.replace('//', '//lim:pw@'),
        /^✗ Redis at \S+ does not allow what assay needs \(NOPERM .*\)\.\n.*ACL SETUSER/m,
      ],
      [`${redis.url}/99`, /^✗ Redis at \S+\/99 has no such database: DB index is out of range\.\n/],
      [
        `redis://127.0.0.1:${port}`,
        /^✗ No Redis answers at \S+: what answers there is not Redis\.\n/m,
      ],
      [redis.url.replace('redis:', 'rediss:'), /^✗ No Redis answers at rediss:.*\n.*use redis:/m],
    ] as const) {
      for (const command of ['run', 'worker', 'workers']) {
        const { code, stderr } = await project.start([command, '--redis', url]).ended;
        expect(stderr, command).to.match(text);
        expect(stderr, command).to.not.match(/^ +at |DEP0123/m);
        expect(code, command).to.equal(2);
      }
    }
    page.close();
  });

  it('give up what accepts connections and never answers', async () => {
    const project = new Project(files('mute'));
    const mute = createServer(() => undefined);
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const { port } = mute.address() as AddressInfo;
    const url = `redis://127.0.0.1:${port}`;
    const commands = ['run', 'worker', 'workers', 'serve'];
    const ends = commands.map((name) => project.start([name, '--redis', url]).ended);
    for (const { code, stderr } of await Promise.all(ends)) {
      expect(stderr).to.match(/^✗ No Redis answers at \S+: no answer in time\.\n/m);
      expect(code).to.equal(2);
    }
    mute.close();
  });

  it('refuse what is no address of a Redis', async () => {
    const project = new Project(files('url'));
    for (const [url, text] of [
      ['redis://', /redis:\/\/ or rediss:\/\/ URL/],
      ['redis://127.0.0.1:6379/queue', /The path of a Redis URL is the number of a database/],
      ['127.0.0.1:6379', /redis:\/\/ or rediss:\/\/ URL/],
      ['redis://127.0.0.1:99999', /redis:\/\/ or rediss:\/\/ URL/],
      ['redis://me:secret%zz@127.0.0.1', /redis:\/\/ or rediss:\/\/ URL/],
    ] as const) {
      const { code, stderr } = await project.assay(['workers', '--redis', url]);
      expect(code, url).to.equal(2);
      expect(stderr, url).to.match(text);
      expect(stderr, url).to.not.match(/secret|^ +at /m);
    }
  });
});
