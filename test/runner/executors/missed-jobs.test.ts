import { expect } from 'chai';
import { findMissedJobs } from '../../../dist/runner/executors/bullmq/missed-jobs.js';
import { openRedis } from '../../../dist/runner/executors/bullmq/redis-server.js';
import { queueName } from '../../../dist/runner/executors/bullmq/run-manifest.js';
import { RunQueues } from '../../../dist/runner/executors/bullmq/run-queues.js';
import { RedisUnderTest } from '../../helpers/redis.js';

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
});
