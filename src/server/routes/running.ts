import { json } from '../http/answer.js';
import { defineRoute, type Route } from '../http/route.js';
import {
  newRunAnswer,
  newRunBody,
  nextRunNameAnswer,
  nextRunNameBody,
  pauseAnswer,
  regradeAnswer,
  regradeBody,
  rerunAnswer,
  rerunBody,
  restartAnswer,
  resumeAnswer,
  resumeBody,
  splitSettings,
  stopAnswer,
} from '../schemas/execution.js';
import { waitQuery } from '../schemas/parameters.js';
import type { Operations } from '../workspace/operations.js';
import type { SavedRuns } from '../workspace/saved-runs.js';
import type { Workspace } from '../workspace/workspace.js';

const tag = 'Running';

/** Starts and regrades runs, and controls the one in progress. */
export function runningRoutes(
  workspace: Workspace,
  operations: Operations,
  saved: SavedRuns,
): Route[] {
  return [
    ...startRoutes(operations),
    ...controlRoutes(operations),
    ...preparationRoutes(workspace, saved),
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
        schema: rerunAnswer,
      },
      problems: [404, 409, 507],
      handle: async ({ query, body }) => {
        const { settings, rest } = splitSettings(body);
        const { config_name: configName, run_id: runId, add_new: addsNew, ...same } = rest;
        const { wait } = query;
        const options = { ...same, settings, addsNew, configName, runId, wait };
        const { run_id } = await operations.rerun(options);
        return json({ ok: true, run_id });
      },
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
      handle: async ({ query, body }) => {
        const { settings, rest } = splitSettings(body);
        const { run_name: runName, indices } = rest;
        const { wait } = query;
        const started = await operations.startNew({ indices, settings, runName, wait });
        return json({ ok: true, run_id: started.run_id, run_name: started.run_name });
      },
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
      handle: async ({ query, body }) => {
        const { indices, run_id: runId, regrade_inexact: acceptsInexact } = body;
        const { wait } = query;
        const regraded = await operations.regrade({ indices, runId, acceptsInexact, wait });
        return json({ ok: true, ...regraded });
      },
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
      handle: async ({ body }) => {
        const { resumed, run_id } = await operations.resume(body);
        return json({ ok: true, resumed, run_id, is_paused: false });
      },
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

function preparationRoutes(workspace: Workspace, saved: SavedRuns): Route[] {
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
        json({ ok: true, run_name: await saved.nameNextRun(body.run_name) }),
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
