import { expect } from 'chai';
import { listWorkers } from '../../../dist/runner/executors/bullmq/list-workers.js';
import { saveReport } from '../../../dist/runner/executors/bullmq/presence.js';
import { openRedis, type RedisServer } from '../../../dist/runner/executors/bullmq/redis-server.js';
import { withQueue } from '../../../dist/runner/executors/bullmq/run-list.js';
import { takeName } from '../../../dist/runner/executors/bullmq/worker-name.js';
import { CuttableProxy } from '../../helpers/cuttable-proxy.js';
import { RedisUnderTest } from '../../helpers/redis.js';

describe('what Redis has of a project', () => {
  let server: RedisUnderTest;
  let redis: RedisServer;

  before(async () => {
    server = await RedisUnderTest.start();
    redis = await openRedis({ url: server.url, project: 'state' });
  });
  after(async () => {
    await redis.close();
    await server.end();
  });

  function report(name: string) {
    return {
      ...{ name, host: 'h', pid: 1, slots: 1, offers: [], assay: '1', lock_ms: 1_000 },
      ...{ busy: 0, running: [], finished: 0, runs: [], refused: [] },
      since: new Date().toISOString(),
      at: new Date().toISOString(),
    };
  }

  it('has a name for each worker, also for those that start at the same time', async () => {
    const names = () => Promise.all([1, 2, 3].map(() => takeName(redis, 'box')));
    expect((await names()).sort()).to.deep.equal(['box', 'box-2', 'box-3']);
    // None of them is connected any more.
    for (const name of ['box', 'box-2', 'box-3']) await saveReport(redis, report(name));
    expect((await names()).sort()).to.deep.equal(['box', 'box-2', 'box-3']);
  });

  it('has a run whose coordinator died until its results are gone', async () => {
    const save = (run: string, ageMs: number) => {
      const at = new Date(Date.now() - ageMs).toISOString();
      const manifest = { run: { runId: run, runName: run }, requires: [[]], isPaused: false, at };
      return redis.client.hset(`${redis.prefix}:runs`, run, JSON.stringify(manifest));
    };
    const day = 24 * 3600 * 1000;
    await save('old', 8 * day);
    await save('young', 6 * day);
    for (const run of ['old', 'young']) {
      await withQueue(redis, `run-${run}`, (queue) => queue.add('job', {}));
    }
    const { runs, jobs } = await listWorkers(redis);
    expect(runs.map(({ run_id }) => run_id)).to.deep.equal(['young']);
    expect(jobs).to.equal(1);
    expect(await redis.client.keys('*run-old*')).to.deep.equal([]);
    expect(await redis.client.hkeys(`${redis.prefix}:runs`)).to.deep.equal(['young']);
  });

  it('is listened to as soon as a server is back that was away at the beginning', async () => {
    const proxy = await CuttableProxy.start(server.port);
    const away = await openRedis({ url: `redis://127.0.0.1:${proxy.port}`, project: 'away' });
    proxy.cut();
    const subscriber = away.subscriber();
    const subscribed = subscriber.subscribe('news');
    const heard = new Promise((resolve) => subscriber.on('message', (_, text) => resolve(text)));
    proxy.mend();
    await subscribed;
    await redis.client.publish('news', 'it is back');
    expect(await heard).to.equal('it is back');
    subscriber.disconnect();
    await away.close();
    proxy.end();
  });
});
