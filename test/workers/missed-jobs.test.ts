import { expect } from 'chai';
import type { Work } from '../../dist/runner/executor.js';
import { openRedis, queueName } from '../../dist/workers/redis-server.js';
import { RunJobs } from '../../dist/workers/run-jobs.js';
import { findMissedJobs, RunQueues } from '../../dist/workers/run-queues.js';
import { RedisUnderTest } from '../helpers/redis.js';

describe('jobs whose end a coordinator has not heard of', () => {
  let server: RedisUnderTest;
  before(async () => {
    server = await RedisUnderTest.start();
  });

  it('are all found, however many there are', async () => {
    const redis = await openRedis({ url: server.url, project: 'missed' });
    const nothing = () => undefined;
    const queues = new RunQueues({
      ...{
        redis,
        run: 'r',
        execution: () => 'e',
        isStopped: () => false,
        onWarning: nothing,
        onActive: nothing,
        onReturned: nothing,
      },
      ...{ onFailed: nothing, onProgress: nothing, onCompleted: nothing },
    });
    await queues.open([]);
    const ids = ['j-1', 'j-2', 'j-3', 'j-4', 'j-5', 'j-6'];
    await queues.add(
      queues.of(),
      ids.map((id, at) => ({ id, task: { task: at, id: 'a.eval.ts::a', timeout: 300 } })),
    );
    let done = 0;
    const { connection, prefix, bullmq } = redis;
    const worker = new bullmq.Worker(queueName('r', []), async ({ id }) => ({ did: id }), {
      ...{ connection, prefix, skipVersionCheck: true },
    });
    await new Promise<void>((resolve) => {
      worker.on('completed', () => {
        done += 1;
        if (done === ids.length) resolve();
      });
    });
    await worker.close();
    const missed = await findMissedJobs(
      queues,
      queues.of(),
      () => true,
      () => ids,
    );
    expect(missed.completed.map(({ id }) => id).sort()).to.deep.equal(ids);
    expect(
      missed.completed.every(({ id, packed }) => (packed as { did: string }).did === id),
    ).to.equal(true);
    queues.close();
    await redis.close();
  });

  it('may have called models unseen, if a worker had begun them', async () => {
    const redis = await openRedis({ url: server.url, project: 'lost' });
    const said: string[] = [];
    const waits = new Map<string, () => void>();
    const says = (word: string) => new Promise<void>((resolve) => waits.set(word, resolve));
    const note = (word: string) => {
      said.push(word);
      waits.get(word)?.();
    };
    const tasks = [0, 1].map((task) => ({ task, id: 'a.eval.ts::a', timeout: 300 }));
    const work = {
      take: () => tasks.splice(0),
      left: () => tasks.length,
      ahead: 2,
      onStarted: () => note('started'),
      onReturned: () => note('returned'),
      onCutOff: () => note('cut off'),
    } satisfies Partial<Work>;
    const nothing = () => undefined;
    const jobs = new RunJobs({
      ...{ redis, run: 'r', execution: () => 'e', work: work as unknown as Work, cwd: '/' },
      ...{
        machine: {},
        descriptors: new Map(),
        values: new Map(),
        onEnded: nothing,
        onWarning: nothing,
      },
      onFailure: (error) => note(String(error)),
    });
    await jobs.open([[]]);
    await jobs.add(
      () => ({ joined: 0, expected: 2 }),
      () => true,
    );
    const { bullmq, connection, client, prefix } = redis;
    const options = { connection, prefix, skipVersionCheck: true, autorun: false };
    const worker = (stalledInterval: number) =>
      new bullmq.Worker(queueName('r', []), null, { ...options, stalledInterval });

    const lost = worker(30_000);
    const started = says('started');
    const job = await lost.getNextJob('lost', { block: false });
    await started;
    // Its lock expires, as that of a worker that is gone.
    await client.del(`${lost.toKey(String(job?.id))}:lock`);
    const other = worker(20);
    const isCutOff = says('cut off');
    await other.startStalledCheckTimer();
    await isCutOff;
    expect(said).to.deep.equal(['started', 'returned', 'cut off']);

    // Redis loses both, of which no worker has either.
    for (const queue of await client.keys(`${prefix}:*:wait`)) await client.del(queue);
    await jobs.look();
    expect(said).to.have.lengthOf(3);
    await Promise.all([lost.close(), other.close()]);
    jobs.close();
    await redis.close();
  });
});
