import { z } from 'zod';
import { mostVariants } from '../../model/option-ranges.js';
import { defineRoute, json, type Route } from '../http/route.js';
import type { Operations } from '../workspace/operations.js';
import type { Workspace } from '../workspace/workspace.js';
import { count, jsonObject, ok, optional, runName, waitQuery, withoutNulls } from './values.js';

const tag = 'Running';

/** Starts and regrades runs, and controls the one in progress. */
export function runningRoutes(workspace: Workspace, operations: Operations): Route[] {
  return [
    ...startRoutes(operations),
    ...controlRoutes(operations),
    ...preparationRoutes(workspace),
  ];
}

function startRoutes(operations: Operations): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/runs/rerun',
      operation: 'rerun',
      tag,
      summary: 'Runs all evaluations of a run, or those at `indices`.',
      description:
        'Runs the active run, or the run `run_id`, which becomes the active one first. Results keep their index; a rerun of everything also appends new evaluations. If `config_name` differs from that of the run, a new run named after the config starts. 409 while a run or regrade is in progress, and when the eval files are missing or outside the served directory.',
      query: waitQuery,
      body: rerunBody,
      answer: {
        description: 'The run is scheduled, or finished with `wait`.',
        schema: z.object({ ok, run_id: z.string() }).meta({ id: 'RerunAnswer' }),
      },
      problems: [404, 409, 507],
      handle: async ({ query, body }) =>
        json({ ok: true, ...(await operations.rerun(body, query.wait)) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/runs/new',
      operation: 'startRun',
      tag,
      summary: 'Starts a new run in the session of the active one.',
      description:
        '`indices` are positions in the active run; the other evaluations stay `not_started`. Without `run_name` it gets the name given to the next run, else the name of the selected run config, else a generated one. 409 while a run or regrade is in progress.',
      query: waitQuery,
      body: newRunBody,
      answer: {
        description: 'The run is scheduled, or finished with `wait`.',
        schema: newRunAnswer,
      },
      problems: [409, 507],
      handle: async ({ query, body }) =>
        json({ ok: true, ...(await operations.startNew(body, query.wait)) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/runs/regrade',
      operation: 'regrade',
      tag,
      summary: 'Grades stored outputs again; targets are not called.',
      description:
        'Body and evaluators run again on the stored values. Scores set by a person and annotations stay; replaced scores are recorded in `correction_history`. 400 when nothing has finished, 409 while a run or regrade is in progress.',
      query: waitQuery,
      body: regradeBody,
      answer: {
        description: 'The work is scheduled, or finished with `wait`.',
        schema: regradeAnswer,
      },
      problems: [404, 409, 507],
      handle: async ({ query, body }) =>
        json({ ok: true, ...(await operations.regrade(body, query.wait)) }),
    }),
  ];
}

function controlRoutes(operations: Operations): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/runs/pause',
      operation: 'pause',
      tag,
      summary: 'Pauses: running evaluations finish, and no others start.',
      description: '409 if nothing is in progress; pausing twice is allowed.',
      answer: { description: 'It is paused.', schema: pauseAnswer },
      problems: [409],
      handle: async () => {
        await operations.pause();
        return json({ ok: true, is_paused: true, paused: true });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/runs/resume',
      operation: 'resume',
      tag,
      summary:
        'Resumes a paused run, or the unfinished results of one that was interrupted or has spent its budget.',
      description:
        'A run with the `outcome` `budget` needs a `max_cost` above what it has spent, here or in the settings; otherwise 400. 400 also for a `max_cost` while the run is in progress or paused.',
      body: resumeBody,
      answer: { description: 'The result of the request.', schema: resumeAnswer },
      problems: [400, 409, 507],
      handle: async ({ body }) =>
        json({ ok: true, ...(await operations.resume(body)), is_paused: false }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/runs/stop',
      operation: 'stop',
      tag,
      summary: 'Cancels everything that has not finished.',
      answer: { description: 'It is stopped, or nothing ran.', schema: stopAnswer },
      problems: [409, 507],
      handle: async () => json({ ok: true, cancelled: await operations.stop() }),
    }),
  ];
}

function preparationRoutes(workspace: Workspace): Route[] {
  return [
    defineRoute({
      method: 'PUT',
      path: '/api/pending-run-name',
      operation: 'nameNextRun',
      tag,
      summary: 'Names the next run.',
      description: 'A run that has not started takes the name at once.',
      body: nextRunNameBody,
      answer: { description: 'The saved name.', schema: nextRunNameAnswer },
      handle: async ({ body }) =>
        json({ ok: true, run_name: await workspace.nameNextRun(body.run_name) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/server/restart',
      operation: 'restart',
      tag,
      summary: 'Discovers the evals again and reads the settings file again.',
      description: 'Also applies a changed `results_dir`. 409 while a run is in progress.',
      answer: { description: 'What was discovered.', schema: restartAnswer },
      problems: [400, 409],
      handle: async () => {
        const { run } = await workspace.restart();
        const discovery_error = workspace.lastDiscovery.problem?.message;
        return json({
          ok: true,
          total_evaluations: run.rows.length,
          results_dir: workspace.store.root,
          ...(discovery_error === undefined ? {} : { discovery_error }),
        });
      },
    }),
  ];
}

const indices = optional(z.array(count)).meta({
  description: 'Positions of results. Default: all. `[]` is none.',
});

/** Settings that a request may give for its run. */
const runSettings = {
  isolate: optional(z.boolean()).meta({
    description: 'Run each attempt in its own process. Default: the setting `isolate`.',
  }),
  max_cost: optional(z.number().positive()).meta({
    description: 'US dollars that the calls of the run may cost. Default: the setting `max_cost`.',
  }),
};

const runId = optional(z.string()).meta({
  description: 'Id of a run that becomes the active one first. Default: the active one.',
});

const changedOnly = optional(z.literal('changed')).meta({
  description:
    '`changed`: only results that an edit of code, cases, params or of what evaluations read can have changed; what only has another grading is graded again. Default: all.',
});

const rerunBody = z
  .strictObject({
    indices,
    only: changedOnly,
    add_new: optional(z.boolean()).meta({
      description:
        'Also append the evaluations that the run does not have, and run them. Default: only without `indices`.',
    }),
    config_name: optional(z.string()).meta({
      description:
        'Run config. One that differs from that of the run starts a new run named after it.',
    }),
    run_id: runId,
    ...runSettings,
    prune: optional(z.boolean()).meta({
      description:
        'Exclude all results whose evaluation no longer exists from rates, counts and comparisons, until a rerun finds it again. Default: false.',
    }),
  })
  .meta({ id: 'RerunRequest' })
  .transform(withoutNulls);

const regradeBody = z
  .strictObject({
    indices,
    run_id: runId,
    regrade_inexact: optional(z.boolean()).meta({
      description:
        'Also grade outputs that are not stored as the target returned them; their scores are marked `inexact`. Default: false.',
    }),
  })
  .meta({ id: 'RegradeRequest' })
  .transform(withoutNulls);

const newRunBody = z
  .strictObject({
    run_name: optional(runName),
    indices,
    params: optional(jsonObject).meta({
      description:
        'Params over those of the run config. 400 for one that no evaluation reads, or of another type than its default.',
    }),
    variants: optional(
      z
        .array(
          z
            .strictObject({
              name: optional(runName),
              params: optional(jsonObject),
              config_name: optional(z.string()),
            })
            .transform(withoutNulls),
        )
        .min(1)
        .max(mostVariants),
    ).meta({
      description:
        'Starts a run of each, executed together as a group; the first is the base. `params` of the request are under their own. A name is by default what differs from the others.',
    }),
    ...runSettings,
  })
  .refine(({ run_name, variants }) => variants == null || run_name == null, {
    message: 'runs of variants are named after them',
    path: ['run_name'],
  })
  .meta({ id: 'NewRunRequest' })
  .transform(withoutNulls);

const resumeBody = z
  .object({ max_cost: runSettings.max_cost })
  .meta({ id: 'ResumeRequest' })
  .transform(withoutNulls);

/** The name of the next run. */
export const nextRunNameBody = z.object({ run_name: runName }).meta({ id: 'RunName' });

const regradeAnswer = z
  .object({
    ok,
    run_id: z.string(),
    regraded: count.meta({ description: 'Results that are graded again.' }),
    skipped_without_target: count.meta({
      description: 'Completed results of the request whose evaluation has no target.',
    }),
    skipped_inexact: count.meta({
      description:
        'Results of the request that keep their grades, because their values are not stored as the target returned them; `inexact_because` of a result says why.',
    }),
  })
  .meta({ id: 'RegradeAnswer' });

const newRunAnswer = z
  .object({
    ok,
    run_id: z.string(),
    run_name: z.string(),
    group: z.string().exactOptional().meta({ description: 'Only with `variants`.' }),
    run_ids: z.array(z.string()).exactOptional().meta({
      description: 'Only with `variants`: the ids of all runs, that of the base first.',
    }),
  })
  .meta({ id: 'NewRunAnswer' });

const pauseAnswer = z
  .object({ ok, is_paused: z.literal(true), paused: z.literal(true) })
  .meta({ id: 'PauseAnswer' });

const resumeAnswer = z
  .object({
    ok,
    resumed: z.boolean().meta({ description: 'False if nothing was left to run.' }),
    run_id: z.string(),
    is_paused: z.literal(false),
  })
  .meta({ id: 'ResumeAnswer' });

const stopAnswer = z
  .object({ ok, cancelled: count.meta({ description: 'Results that were cancelled.' }) })
  .meta({ id: 'StopAnswer' });

const nextRunNameAnswer = z.object({ ok, run_name: z.string() }).meta({ id: 'NextRunNameAnswer' });

const restartAnswer = z
  .object({
    ok,
    total_evaluations: count.meta({ description: 'Results of the not-started run.' }),
    results_dir: z.string().meta({ description: 'Absolute path of the results directory.' }),
    discovery_error: z.string().exactOptional(),
  })
  .meta({ id: 'RestartAnswer' });
