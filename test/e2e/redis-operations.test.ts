import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import type { RunJson } from '../../src/model/run.js';
import { startFakeProvider } from '../helpers/fake-provider.js';
import { Project, removeProjects, until } from '../helpers/project.js';
import { RedisUnderTest, startWorker } from '../helpers/redis.js';
import { endServing, serve } from './serve-process.js';

/** Each attempt of a target writes a line, so that repeated work is seen. */
const counted = (name: string, count: number, target: string) => ({
  'package.json': `{ "name": "${name}", "type": "module" }`,
  'a.eval.ts': `
    import { appendFileSync, existsSync } from 'node:fs';
    import { setTimeout as delay } from 'node:timers/promises';
    import { evaluation } from 'assay';
    import { wanted } from './wanted.ts';
    const here = (file) => new URL(file, import.meta.url);
    export const row = evaluation({
      cases: Array.from({ length: ${count} }, (_, at) => ({ id: 'n' + at, input: at })),
      target: async ({ input, signal }) => {
        appendFileSync(here('ran'), '.');
        ${target}
      },
      evaluators: [({ output }) => ({ key: 'exact', passed: output === wanted })],
    });
  `,
  'wanted.ts': `export const wanted = 'done';`,
  ran: '',
});

describe('what is done with runs on workers', function () {
  this.timeout(180_000);
  let redis: RedisUnderTest;

  before(async () => {
    redis = await RedisUnderTest.start();
  });
  after(async () => {
    await endServing();
    removeProjects();
    await redis.end();
  });

  function ran(project: Project): number {
    return project.read('ran').length;
  }

  it('reruns and regrades', async () => {
    const project = new Project(counted('again', 6, `return 'done';`));
    await startWorker(project, { url: redis.url });
    const run = (...args: readonly string[]) => project.run([...args, '--redis', redis.url]);
    expect((await run()).run).to.include({ total_passed: 6 });
    project.write('wanted.ts', `export const wanted = 'other';`);
    expect((await run('--regrade', 'latest')).run).to.include({ total_passed: 0, total_errors: 0 });
    expect(ran(project)).to.equal(6);
    project.write('wanted.ts', `export const wanted = 'done';`);
    expect((await run('--rerun', 'latest')).run).to.include({ total_passed: 6 });
    expect(ran(project)).to.equal(12);
  });

  it('names the files of this checkout in errors of a worker in another', async () => {
    const evals = counted('places', 2, `throw new Error('here');`);
    const [project, other] = [new Project(evals), new Project(evals)];
    await startWorker(other, { url: redis.url });
    const { run } = await project.run(['--redis', redis.url]);
    expect(ran(other)).to.equal(2);
    for (const { result } of run.results) {
      expect(result.error).to.include(`${project.folder}/a.eval.ts:`);
      expect(result.error).to.not.include(other.folder);
    }
  });

  it('stops at the budget, and goes on with a larger one', async () => {
    // Each call has 120 tokens in and 30 out, and so costs $0.15.
    await using provider = await startFakeProvider();
    const target = `
      const messages = [{ role: 'user', content: 'hi' }];
      const body = JSON.stringify({ model: 'cheap', messages });
      const answer = await fetch(process.env.PROVIDER + '/v1/chat/completions', { method: 'POST', body });
      await answer.text();
      return 'done';
    `;
    const project = new Project({
      ...counted('budget', 40, target),
      'assay.yaml': 'prices:\n  cheap: { input: 1000, output: 1000 }\n',
    });
    await startWorker(project, { url: redis.url, env: { PROVIDER: provider.url } });
    const run = (...args: readonly string[]) => project.run([...args, '--redis', redis.url]);
    const first = await run('--max-cost', '0.4');
    expect(first.code).to.equal(1);
    expect(first.run).to.include({ outcome: 'budget' });
    expect(provider.exchanges.length).to.be.within(3, 39);
    const last = await run('--resume', 'latest', '--max-cost', '100');
    expect(last.run).to.include({ total_evaluations: 40, total_passed: 40 });
    expect(provider.exchanges.length).to.equal(40);
  });

  it('stops through the server, and leaves nothing in Redis', async () => {
    const project = new Project(
      counted(
        'served',
        8,
        `await new Promise((resolve) => signal.addEventListener('abort', resolve));`,
      ),
    );
    const one = await startWorker(project, { url: redis.url });
    const { url } = await serve(project, ['--redis', redis.url]);
    const post = (path: string) => fetch(`${url}${path}`, { method: 'POST' });
    await post('/api/runs/rerun');
    await until(() => ran(project) === 2, 'two evaluations');
    expect((await post('/api/runs/stop')).ok).to.equal(true);
    await one.said(/has ended/);
    const isCancelled = async () => {
      const { results } = (await (await fetch(`${url}/results`)).json()) as RunJson;
      return results.every(({ result }) => result.status === 'cancelled');
    };
    while (!(await isCancelled())) await delay(20);
    expect(redis.cli('keys', '*{served}:run*')).to.equal('');
    expect(ran(project)).to.equal(2);
  });

  it('redacts secrets before they leave the worker', async () => {
    const target = `
      const key = process.env.SHOP_API_KEY;
        if (input === 1) throw new Error('refused ' + key);
      return input === 2 ? key.repeat(20_000) : key;
    `;
    const project = new Project(counted('secret', 3, target));
    await startWorker(project, { url: redis.url, env: { SHOP_API_KEY: 'word-of-the-shop' } });
    const monitor = spawn('redis-cli', ['-p', String(redis.port), 'monitor']);
    let seen = '';
    monitor.stdout.on('data', (chunk) => {
      seen += String(chunk);
    });
    await once(monitor.stdout, 'data');
    const { run } = await project.run(['--redis', redis.url]);
    expect(JSON.stringify(run)).to.include('refused [redacted:SHOP_API_KEY]');
    await until(() => seen.includes('refused [redacted:SHOP_API_KEY]'), 'the result');
    monitor.kill();
    expect(seen).to.not.include('word-of-the-shop');
  });

  it('goes on when a Redis without persistence is killed and comes back', async () => {
    const server = await RedisUnderTest.start('--appendonly', 'no');
    const project = new Project(counted('forgets', 40, `await delay(50); return 'done';`));
    await startWorker(project, { url: server.url });
    const running = project.start(['run', '--redis', server.url, '--json']);
    await until(() => ran(project) > 4, 'the first evaluations');
    await server.kill();
    await running.said(/The connection to Redis is lost/);
    await server.restart();
    const ended = await running.ended;
    expect(ended.stderr).to.include('Redis is back.');
    expect(ended.json()).to.include({ total_evaluations: 40, total_passed: 40 });
    expect(ran(project)).to.be.within(40, 80);
    await server.end();
  });

  it('takes user and password from the environment, and warns of a Redis that drops work', async () => {
    const user = ['--user', 'shop', 'on', '>word-of-the-shop', '~*', '&*', '+@all'];
    const closed = ['--requirepass', 'another', '--maxmemory-policy', 'allkeys-lru'];
    const server = await RedisUnderTest.start(...user, ...closed);
    const project = new Project(counted('closed', 2, `return 'done';`));
    const env = { ASSAY_REDIS_USERNAME: 'shop', ASSAY_REDIS_PASSWORD: 'word-of-the-shop' };
    const one = await startWorker(project, { url: server.url, env });
    const { run, stderr } = await project.run(['--redis', server.url], { env });
    expect(run).to.include({ total_passed: 2 });
    for (const said of [stderr, one.stderr()]) {
      expect(said).to.include('its maxmemory-policy is allkeys-lru. Set it to noeviction.');
      expect(said).to.not.include('word-of-the-shop');
    }
    const wrong = { ...env, ASSAY_REDIS_USERNAME: 'other' };
    const refused = await project.assay(['run', '--redis', server.url], { env: wrong });
    expect(refused.stderr).to.include('refuses the user or the password');
    await server.end();
  });
});
