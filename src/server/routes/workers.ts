import { listWorkers } from '../../runner/executors/bullmq/list-workers.js';
import { json } from '../http/answer.js';
import { defineRoute, type Route } from '../http/route.js';
import { workerList } from '../schemas/worker.js';
import type { Workspace } from '../workspace/workspace.js';

/** Lists who runs evaluations elsewhere. */
export function workerRoutes({ redis }: Workspace): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/workers',
      operation: 'listWorkers',
      tag: 'Workers',
      summary: 'The workers of a server with `--redis`, and the runs in their queues.',
      description:
        'Runs of other coordinators of the project are listed too. Without `--redis`, both lists are empty.',
      answer: { description: 'Workers and runs.', schema: workerList },
      problems: [503],
      handle: async () =>
        json(
          redis === undefined
            ? { redis: null, workers: [], runs: [], jobs: 0 }
            : { redis: redis.shownUrl, ...(await listWorkers(redis)) },
        ),
    }),
  ];
}
