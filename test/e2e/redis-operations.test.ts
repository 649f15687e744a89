import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { startFakeProvider } from '../helpers/fake-provider.js';
import { Project, until } from '../helpers/project.js';
import { RedisUnderTest, startWorker, workHere } from '../helpers/redis.js';
import { fewOf } from '../helpers/rounds.js';

/** Each attempt of a target writes a line, so that repeated work is seen. */
const counted = (count: number, target: string) => ({
  'a.eval.ts': `
    import { appendFileSync, existsSync } from 'node:fs';
    import { basename } from 'node:path';
    import { setTimeout as delay } from 'node:timers/promises';
    import { evaluation } from 'assay';
    import { wanted } from './wanted.ts';
    const here = (file) => new URL(file, import.meta.url);
    const ask = async (model, content) => {
      const body = JSON.stringify({ model, messages: [{ role: 'user', content }] });
      const answer = await fetch(process.env.PROVIDER + '/v1/chat/completions', { method: 'POST', body });
      await answer.text();
      return answer.ok ? 'done' : 'refused';
    };
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
  let url: string;

  before(async () => {
    redis = await RedisUnderTest.start();
    ({ url } = redis);
  });

  const ran = (project: Project) => project.read('ran').length;
  const run = (project: Project, ...args: readonly string[]) =>
    project.run([...args, '--redis', url]);

  it('names the files of this checkout in errors of a worker in another', async () => {
    const evals = {
      ...counted(2, `throw new Error('here');`),
      'package.json': '{ "name": "places", "type": "module" }',
    };
    const [project, other] = [new Project(evals), new Project(evals)];
    await workHere(other, { url });
    const { results } = (await run(project)).run;
    expect(ran(other)).to.equal(2);
    for (const { result } of results) {
      expect(result.error).to.include(`${project.folder}/a.eval.ts:`);
      expect(result.error).to.not.include(other.folder);
    }
  });

  it('stops at the budget, and goes on with a larger one', async () => {
    // Each call has 120 tokens in and 30 out, and so costs $0.15.
    await using provider = await startFakeProvider();
    const project = new Project({
      ...counted(40, `return ask('cheap', 'hi');`),
      'assay.yaml': 'prices:\n  cheap: { input: 1000, output: 1000 }\n',
    });
    await workHere(project, { url, env: { PROVIDER: provider.url } });
    const first = await run(project, '--max-cost', '0.4');
    expect(first.code).to.equal(1);
    expect(first.run).to.include({ outcome: 'budget' });
    expect(provider.exchanges.length).to.be.within(3, 39);
    const last = await run(project, '--resume', 'latest', '--max-cost', '100');
    expect(last.run).to.include({ total_evaluations: 40, total_passed: 40 });
    expect(provider.exchanges.length).to.equal(40);
  });

  it('shares rates over the workers, by their slots', async () => {
    const now = { large: 0, small: 0 };
    const most = { large: 0, small: 0 };
    let ended = 0;
    await using provider = await startFakeProvider(async ({ json }) => {
      const name = JSON.stringify(json).includes('large-worker') ? 'large' : 'small';
      now[name] += 1;
      // The first calls may have been made before a worker knew of the other.
      if (ended >= 16) most[name] = Math.max(most[name], now[name]);
      // So long that calls of all slots would come meanwhile.
      await delay(200);
      now[name] -= 1;
      ended += 1;
      return {};
    });
    const target = `
      while (!existsSync(here('go'))) await delay(10);
      return ask('small', process.env.WORKER);
    `;
    const project = new Project({
      ...counted(40, target),
      'assay.yaml': 'rates:\n  small: { at_once: 4 }\n',
    });
    for (const [name, slots] of [
      ['large-worker', 6],
      ['small-worker', 2],
    ] as const) {
      await workHere(project, { url, name, slots, env: { WORKER: name, PROVIDER: provider.url } });
    }
    const running = run(project);
    await until(() => ran(project) === 8, 'evaluations in all slots');
    project.write('go', '');
    expect((await running).run).to.include({ total_evaluations: 40, total_passed: 40 });
    expect(ended).to.equal(40);
    expect(most.large).to.be.within(1, 3);
    expect(most.small).to.equal(1);
  });

  it('lets a worker in with the user and the password of its environment, and no secret out', async () => {
    const user = ['--user', 'shop', 'on', '>word-of-redis', '~*', '&*', '+@all'];
    const closed = ['--requirepass', 'another', '--maxmemory-policy', 'allkeys-lru'];
    const server = await RedisUnderTest.start(...user, ...closed);
    const target = `
      const key = process.env.SHOP_API_KEY;
      if (input === 1) throw new Error('refused ' + key);
      return input === 2 ? key.repeat(20_000) : key;
    `;
    const project = new Project(counted(3, target));
    const login = { ASSAY_REDIS_USERNAME: 'shop', ASSAY_REDIS_PASSWORD: 'word-of-redis' };
    const env = { ...login, SHOP_API_KEY: 'word-of-the-shop' };
    const one = await startWorker(project, { url: server.url, env });
    const monitor = spawn('redis-cli', ['-a', 'another', '-p', String(server.port), 'monitor']);
    let seen = '';
    monitor.stdout.on('data', (chunk) => {
      seen += String(chunk);
    });
    await once(monitor.stdout, 'data');
    const ended = await project.run(['--redis', server.url], { env: login });
    expect(JSON.stringify(ended.run)).to.include('refused [redacted:SHOP_API_KEY]');
    await until(() => seen.includes('refused [redacted:SHOP_API_KEY]'), 'the result');
    monitor.kill();
    expect(seen).to.not.include('word-of-the-shop');
    for (const said of [ended.stderr, one.stderr()]) {
      expect(said).to.include('its maxmemory-policy is allkeys-lru. Set it to noeviction.');
      expect(said).to.not.include('word-of-redis');
    }
  });

  it('says in one line what Redis refuses, whatever the command', async () => {
    const project = new Project(counted(1, ''));
    redis.cli('acl', 'setuser', 'closed', 'on', '>secret-word', '~other:*', '&*', '+@all');
    const refusing = [
      [
        'redis://127.0.0.1:1',
        /^✗ No Redis answers at \S+:1: the connection is refused\.\n {2}Start/m,
      ],
      [
        url.replace('//', '//closed:wrong-word@'),
        /^✗ Redis at \S+ refuses the user or the password\.\n/m,
      ],
      [url.replace('//', '//closed:secret-word@'), /^✗ Redis at \S+ does not allow .*NOPERM/m],
    ] as const;
    for (const [of, command] of ['run', 'worker', 'workers', 'serve'].entries()) {
      // Each with another one; the texts are tested with the function that connects.
      const turned = [...refusing.slice(of % 3), ...refusing.slice(0, of % 3)];
      for (const [at, text] of fewOf(turned, 1)) {
        // A server asks for the rest when it is used.
        if (command === 'serve' && at.includes('secret-word')) continue;
        // What has connected ends with its process.
        const ended = at.includes('secret-word')
          ? project.start([command, '--redis', at]).ended
          : project.assay([command, '--redis', at]);
        const { code, stderr } = await ended;
        expect(stderr, command).to.match(text);
        expect(stderr, command).to.not.match(/^ +at |wrong-word|secret-word/m);
        expect(code, command).to.equal(2);
      }
    }
    const none = await project.assay(['workers']);
    expect(none.stderr).to.match(/^✗ The address of a Redis server is missing\.\n {2}Give it/);
    const spaced = await project.assay(['worker', '--name', 'my box', '--redis', url]);
    expect(spaced.stderr).to.match(/^✗ --name takes up to 100 letters, .*"my box"/);
  });
});
