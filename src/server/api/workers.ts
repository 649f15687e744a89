import { z } from 'zod';
import { listWorkers } from '../../workers/list-workers.js';
import { defineRoute, json, type Route } from '../http/route.js';
import type { Workspace } from '../workspace/workspace.js';
import { count } from './values.js';

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

const texts = z.array(z.string());
const time = z.iso.datetime();

const worker = z
  .object({
    name: z.string(),
    host: z.string(),
    pid: z.int(),
    is_lost: z.boolean().meta({
      description:
        'Its connection is gone, or has been silent for the time of its locks; others take its evaluations of `runs`.',
    }),
    last_seen: time.meta({ description: 'Its last sign of life.' }),
    since: time.meta({ description: 'Its start.' }),
    slots: count.meta({ description: 'Evaluations that it can run at a time.' }),
    busy: count.meta({ description: 'Evaluations that run now.' }),
    running: texts.meta({ description: 'Ids of the first three of them.' }),
    finished: count.meta({ description: 'Evaluations that have finished since its start.' }),
    runs: texts.meta({ description: 'Names of the runs that it takes part in.' }),
    refused: z
      .array(z.object({ run: z.string(), reason: z.string() }))
      .meta({ description: 'Names of the runs that it refuses, and why.' }),
    offers: texts.meta({ description: 'What evaluations may require.' }),
    assay: z.string().meta({ description: 'Its version of assay.' }),
    code: z.string().optional().meta({
      description: 'The commit of its checkout, with `+` for changes; absent outside of Git.',
    }),
  })
  .meta({ id: 'Worker' });

/** A run whose evaluations wait for workers. */
const queue = z
  .object({
    run_id: z.string(),
    run_name: z.string(),
    is_paused: z.boolean(),
    is_silent: z.literal(true).exactOptional().meta({
      description:
        'Nothing has been heard of its coordinator for a minute: resume it there, or from its results directory; absent otherwise.',
    }),
    jobs_waiting: count.meta({
      description:
        'Jobs that no worker has taken; each is about 200 ms of work, or one evaluation.',
    }),
    not_offered: texts.meta({ description: 'What waiting jobs require and no worker offers.' }),
    jobs_active: count,
  })
  .meta({ id: 'WorkerQueue' });

const workerList = z
  .object({
    redis: z.string().nullable().meta({
      description: 'The Redis server without password; `null` if evaluations run on this machine.',
    }),
    workers: z.array(worker).meta({ description: 'Sorted by name.' }),
    runs: z.array(queue),
    jobs: count.meta({
      description: 'All jobs of these runs, waiting and active: a measure for autoscaling.',
    }),
  })
  .meta({ id: 'WorkerList' });
