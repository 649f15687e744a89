import { expect } from 'chai';
import { renderWorkers } from '../../dist/cli/workers/workers-table.js';
import { listWorkers } from '../../dist/workers/list-workers.js';
import { saveReport, takeName } from '../../dist/workers/presence.js';
import { openRedis, type RedisServer, withQueue } from '../../dist/workers/redis-server.js';
import { removeEndedRuns } from '../../dist/workers/run-list.js';
import { RunQueues } from '../../dist/workers/run-queues.js';
import { CuttableProxy } from '../helpers/cuttable-proxy.js';
import { RedisUnderTest } from '../helpers/redis.js';
import { times } from '../helpers/rounds.js';

describe('what Redis has of a project', () => {
  let server: RedisUnderTest;
  let redis: RedisServer;

  before(async () => {
    server = await RedisUnderTest.start();
    redis = await openRedis({ url: server.url, project: 'state' });
  });
  after(() => redis.close());

  function report(name: string, more: object = {}) {
    return {
      ...{ name, host: 'h', pid: 1, slots: 1, offers: [], assay: '1', lock_ms: 1_000 },
      ...{ busy: 0, running: [], finished: 0, runs: [], refused: [] },
      since: new Date().toISOString(),
      at: new Date().toISOString(),
      ...more,
    };
  }

  it('has a name for each worker, also for those that start at the same time', async () => {
    const names = () => Promise.all([1, 2, 3].map(() => takeName(redis, 'box')));
    expect((await names()).sort()).to.deep.equal(['box', 'box-2', 'box-3']);
    // None of them is connected any more.
    for (const name of ['box', 'box-2', 'box-3']) await saveReport(redis, report(name));
    expect((await names()).sort()).to.deep.equal(['box', 'box-2', 'box-3']);
  });

  const minute = 60_000;
  const day = 24 * 60 * minute;

  /** Saves a run with a job, as its coordinator did some time ago. */
  async function saveRun(run: string, ageMs: number, more: object = {}): Promise<void> {
    const at = new Date(Date.now() - ageMs).toISOString();
    const state = { isPaused: false, isEnded: false, at, ...more };
    const made = { wire: 1, assay: '0', execution: run, requires: [[]] };
    const manifest = { run: { runId: run, runName: run }, ...made, ...state };
    await redis.client.hset(`${redis.prefix}:runs`, run, JSON.stringify(manifest));
    await withQueue(redis, `run-${run}`, (queue) => queue.add('job', {}));
  }

  /** Ids of the runs that Redis has anything of. */
  async function savedRuns(): Promise<string[]> {
    const listed = await redis.client.hkeys(`${redis.prefix}:runs`);
    const keys = await redis.client.keys(`${redis.prefix}:run-*`);
    const queued = keys.flatMap((key) => /:run-(\w+):/.exec(key)?.[1] ?? []);
    return [...new Set([...listed, ...queued])].sort();
  }

  it('has a run whose coordinator died until its results are gone', async () => {
    await saveRun('old', 8 * day);
    await saveRun('young', 6 * day);
    await saveRun('live', 0);
    const list = await listWorkers(redis);
    expect(list.runs.map(({ run_id }) => run_id)).to.deep.equal(['live', 'young']);
    expect(list.jobs).to.equal(2);
    expect(await savedRuns()).to.deep.equal(['live', 'young']);
    expect(renderWorkers(list, { now: Date.now(), shownUrl: server.url })).to.match(
      /run live · 1 job waiting, 0 running\n.*run young · .* silent: assay run --resume young --redis /,
    );
    await redis.client.flushall();
  });

  it('shows no run that has ended, and has it until its coordinator has had time to remove it', async () => {
    await saveRun('left', 2 * minute, { isEnded: true });
    await saveRun('ending', 0, { isEnded: true });
    expect((await listWorkers(redis)).runs).to.deep.equal([]);
    expect(await savedRuns()).to.deep.equal(['ending']);
    await redis.client.flushall();
  });

  it('has a run that has ended until a later one finds that its coordinator is silent', async () => {
    await saveRun('ended', 2 * minute);
    await saveRun('interrupted', 2 * minute);
    await saveRun('running', 0);
    await removeEndedRuns(redis, async (run) => run !== 'interrupted');
    expect(await savedRuns()).to.deep.equal(['interrupted', 'running']);
    await redis.client.flushall();
  });

  it('has the evaluations of a worker that is lost until their run has ended', async () => {
    const work = { busy: 2, running: ['a.eval.ts::a[1]'], runs: ['begun'] };
    await saveReport(redis, report('dead', work));
    await saveRun('begun', 0);
    const shown = async () => {
      const list = await listWorkers(redis);
      return { list, text: renderWorkers(list, { now: Date.now(), shownUrl: server.url }) };
    };
    const before = await shown();
    expect(before.list.workers).to.have.length(1);
    expect(before.list.workers[0]).to.deep.include({ is_lost: true, ...work });
    expect(before.text).to.match(/^ *dead +lost +others take its evaluations/m);
    await redis.client.hdel(`${redis.prefix}:runs`, 'begun');
    const after = await shown();
    expect(after.list.workers[0]).to.deep.include({
      is_lost: true,
      busy: 0,
      running: [],
      runs: [],
    });
    expect(after.text).to.match(/^ *dead +lost +0 +now/m);
    await redis.client.flushall();
    expect((await shown()).text).to.equal(
      `No worker at ${server.url}. Start one: assay worker --redis ${server.url}`,
    );
  });

  it('has no queue of a run before the run is in the list', async () => {
    const nothing = () => undefined;
    const queues = new RunQueues({
      ...{ redis, run: 'opened', execution: () => 'opened', isStopped: () => false },
      ...{ onActive: nothing, onReturned: nothing, onFailed: nothing },
      ...{ onProgress: nothing, onCompleted: nothing },
    });
    await queues.open([]);
    expect(await savedRuns()).to.deep.equal([]);
    await queues.limitEvents();
    expect(await redis.client.hgetall(`${redis.prefix}:run-opened:meta`)).to.deep.equal({
      'opts.maxLenEvents': '1000',
    });
    queues.close();
    await redis.client.flushall();
  });

  it('has nothing of a run that several processes remove at the same time', async () => {
    for (let round = 1; round <= times(20); round += 1) {
      await saveRun('left', 2 * minute, { isEnded: true });
      await Promise.all([1, 2, 3, 4].map(() => listWorkers(redis)));
      expect(await savedRuns()).to.deep.equal([]);
    }
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
