import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { startFakeProvider } from '../helpers/fake-provider.js';
import { Project, removeProjects } from '../helpers/project.js';
import { listWorkers, RedisUnderTest, startWorker } from '../helpers/redis.js';

const files = {
  'package.json': '{ "name": "rates", "type": "module" }',
  'assay.yaml': 'rates:\n  small: { at_once: 4 }\n',
  'a.eval.ts': `
    import { existsSync } from 'node:fs';
    import { setTimeout as delay } from 'node:timers/promises';
    import { evaluation } from 'assay';
    const go = new URL('go', import.meta.url);
    export const asked = evaluation({
      cases: Array.from({ length: 60 }, (_, at) => ({ id: String(at) })),
      target: async () => {
        while (!existsSync(go)) await delay(10);
        const messages = [{ role: 'user', content: process.env.WORKER }];
        const body = JSON.stringify({ model: 'small', messages });
        const answer = await fetch(process.env.PROVIDER + '/v1/chat/completions', { method: 'POST', body });
        if (!answer.ok) throw new Error(String(answer.status));
      },
      evaluators: [() => true],
    });
  `,
};

describe('rates of a run on workers', function () {
  this.timeout(240_000);
  let redis: RedisUnderTest;

  before(async () => {
    redis = await RedisUnderTest.start();
  });
  after(async () => {
    removeProjects();
    await redis.end();
  });

  it('are shared by the workers, by their slots', async () => {
    const now = { large: 0, small: 0 };
    const most = { large: 0, small: 0 };
    let ended = 0;
    await using provider = await startFakeProvider(async ({ json }) => {
      const name = JSON.stringify(json).includes('large-worker') ? 'large' : 'small';
      now[name] += 1;
      // The first calls may have been made before a worker knew of the other.
      if (ended >= 16) most[name] = Math.max(most[name], now[name]);
      await delay(200);
      now[name] -= 1;
      ended += 1;
      return {};
    });
    const project = new Project(files);
    for (const [name, slots] of [
      ['large-worker', 6],
      ['small-worker', 2],
    ] as const) {
      const env = { WORKER: name, PROVIDER: provider.url };
      await startWorker(project, { url: redis.url, slots, env });
    }
    const running = project.start(['run', '--redis', redis.url, '--json']);
    for (let busy = 0; busy < 8; await delay(100)) {
      const { workers } = await listWorkers(project, redis.url);
      busy = workers.reduce((sum, one) => sum + one.busy, 0);
    }
    project.write('go', '');
    expect((await running.ended).json()).to.include({ total_evaluations: 60, total_passed: 60 });
    expect(ended).to.equal(60);
    expect(most.large).to.be.within(1, 3);
    expect(most.small).to.equal(1);
  });
});
