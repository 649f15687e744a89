import { z } from 'zod';
import type { Trend } from '../../compare/trend/trend.js';
import { TrendReader } from '../../compare/trend/trend-reader.js';
import { DiscoveryError, NoEvaluationsError } from '../../runner/discovery/discovery-error.js';
import { toRunSummary } from '../../store/listing/run-json.js';
import type { StoredRun } from '../../store/stored-run.js';
import { isInProgress, ListedComparisons } from '../compare/previous-runs.js';
import { defineRoute, json, type Route } from '../http/route.js';
import { isGoing } from '../workspace/feed.js';
import { rowsLeft } from '../workspace/progress.js';
import type { Workspace } from '../workspace/workspace.js';
import { correctedScores } from './calibration.js';
import { familyTest, figure, figureEstimate, singleTest } from './comparison-summary.js';
import { renamedRun, runData, runSummary, runsInProgress } from './run.js';
import { nextRunNameBody } from './running.js';
import {
  count,
  flagParameter,
  ok,
  runIdParams,
  sessionName,
  textParameter,
  unixSeconds,
} from './values.js';

const tag = 'Sessions and runs';

/** Lists, renames, activates and deletes saved runs. */
export function sessionRoutes(workspace: Workspace): Route[] {
  return [...listingRoutes(workspace), ...runRoutes(workspace), ...deletionRoutes(workspace)];
}

function listingRoutes(workspace: Workspace): Route[] {
  const comparisons = new ListedComparisons(() => workspace.store);
  const trends = new TrendReader(() => workspace.store);
  return [
    defineRoute({
      method: 'GET',
      path: '/api/sessions',
      operation: 'listSessions',
      tag,
      summary: 'Names of all sessions that have saved runs.',
      answer: {
        description: 'The names.',
        schema: z
          .object({
            sessions: z
              .array(z.string())
              .meta({ description: 'The one with the newest run first.' }),
          })
          .meta({ id: 'SessionList' }),
      },
      handle: async () => {
        const sessions = await workspace.store.listSessions();
        return json({ sessions: sessions.map((session) => session.session_name) });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/sessions/{session_name}/runs',
      operation: 'listRuns',
      tag,
      summary: 'The saved runs of a session.',
      description:
        'By `timestamp`, the newest first: a run that runs again comes first. An unknown session has no runs.',
      params: z.object({ session_name: sessionName }),
      query: sessionRunsQuery,
      answer: { description: 'The runs.', schema: sessionRuns },
      handle: async ({ params: { session_name }, query }) => {
        const runs = await workspace.listRuns(session_name);
        const previous = await comparisons.of(runs, query.wait === true);
        const listed = runs.map((run, at) => ({
          ...toRunSummary(run),
          previous: previous[at] ?? null,
        }));
        // Of those that last began in the same second, the one that first began last comes first, as in every listing.
        return json({ session_name, runs: listed.sort((a, b) => b.timestamp - a.timestamp) });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/sessions/{session_name}/trend',
      operation: 'getTrend',
      tag,
      summary: 'The figures of the runs of a session in order, with what is beyond chance.',
      description:
        'At most the newest 200 runs, with 400,000 results together. A line joins only runs with the same config, params and at least 80 % of the cases of both. See `docs/statistics.md`. An unknown session has no runs.',
      params: z.object({ session_name: sessionName }),
      query: trendQuery,
      answer: { description: 'The trend.', schema: trendSchema },
      handle: async ({ params: { session_name }, query }) => {
        const runs = await workspace.listRuns(session_name);
        return json(await trends.read(session_name, runs, query));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/runs-in-progress',
      operation: 'listRunsInProgress',
      tag,
      summary: 'The runs in progress, of all sessions and all processes.',
      answer: { description: 'The runs.', schema: runsInProgress },
      handle: async () => {
        const runs = (await workspace.listRuns()).filter(isInProgress);
        return json({
          runs: runs.map(
            ({ run_id, session_name, run_name, total_evaluations, timestamp, state }) => ({
              run_id,
              session_name,
              run_name,
              total_evaluations,
              timestamp,
              state,
            }),
          ),
        });
      },
    }),
  ];
}

function runRoutes(workspace: Workspace): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/runs/{run_id}',
      operation: 'getRunStatus',
      tag,
      summary: 'A run without its results.',
      description:
        'Small, even for long runs: identity, figures, progress, and whether it can be run again.',
      params: runIdParams,
      answer: { description: 'The run.', schema: runStatusSchema },
      handle: async ({ params }) =>
        json(await runStatus(workspace, await workspace.read(params.run_id))),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/active-run',
      operation: 'getActiveRunStatus',
      tag,
      summary: 'The active run without its results.',
      description: 'Says which run is active; small, even for long runs.',
      answer: { description: 'The active run.', schema: runStatusSchema },
      handle: async () => json(await runStatus(workspace, await workspace.active())),
    }),
    defineRoute({
      method: 'PATCH',
      path: '/api/runs/{run_id}',
      operation: 'renameRun',
      tag,
      summary: 'Renames a run.',
      params: runIdParams,
      body: nextRunNameBody,
      answer: { description: 'The saved name.', schema: renamedRun },
      problems: [409, 507],
      handle: async ({ params, body }) => {
        const { run_id } = params;
        const run_name = await workspace.renameRun(run_id, body.run_name);
        return json({ ok: true, run: { run_id, run_name } });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/runs/{run_id}/activate',
      operation: 'activateRun',
      tag,
      summary: 'Makes a run the active one.',
      params: runIdParams,
      answer: { description: 'The run that is active now.', schema: activatedRun },
      handle: async ({ params }) => {
        const { header } = await workspace.activate(params.run_id);
        return json({ ok: true, run_id: header.run_id, run_name: header.run_name });
      },
    }),
  ];
}

function deletionRoutes(workspace: Workspace): Route[] {
  return [
    defineRoute({
      method: 'DELETE',
      path: '/api/runs/{run_id}',
      operation: 'deleteRun',
      tag,
      summary: 'Deletes a saved run.',
      description:
        'If it was the active run, a new one becomes active. The not-started run is not saved, and a run in progress cannot be deleted: 409.',
      params: runIdParams,
      answer: { description: 'The run was deleted.', schema: done },
      problems: [409],
      handle: async ({ params }) => {
        await workspace.deleteRun(params.run_id);
        return json({ ok: true });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/sessions/{name}',
      operation: 'deleteSession',
      tag,
      summary: 'Deletes a session and all its runs.',
      description: 'Nothing is deleted if one of its runs is in progress (409).',
      params: z.object({ name: sessionName }),
      answer: { description: 'The session was deleted.', schema: done },
      problems: [404, 409],
      handle: async ({ params }) => {
        await workspace.deleteSession(params.name);
        return json({ ok: true });
      },
    }),
  ];
}

/** With `?wait=true`, a listing answers when its runs are compared. */
const sessionRunsQuery = z.strictObject({
  wait: flagParameter(
    'Wait until the newest runs are compared with those before them. Default: false.',
  ),
});

const sessionRuns = z
  .object({
    session_name: z.string(),
    runs: z.array(runSummary).meta({ description: 'Newest first, by `started_at`.' }),
  })
  .meta({ id: 'SessionRuns' });

const trendQuery = z.strictObject({
  config: textParameter(
    'The config whose runs the line joins. Default: that of the newest finished run.',
  ),
  baseline: textParameter(
    'The id of the run from which limits count on. Default: the oldest of the line.',
  ),
});

const limits = z.object({ low: figure, high: figure });
const runName = z.object({ run_id: z.string(), run_name: z.string() });

const trendFigure = z
  .object({
    ...figureEstimate.shape,
    passed: count.exactOptional().meta({ description: 'Only of shares, like `of`.' }),
    of: count.exactOptional(),
    is_p50: z.literal(true).exactOptional().meta({
      description: 'Present if the values have no scale: `estimate` is then their p50.',
    }),
    step: z
      .object({
        pairs: count,
        difference: figureEstimate.nullable(),
        p: singleTest.p,
        ...familyTest,
      })
      .nullable()
      .meta({
        description: 'The difference from the run before; `null` if there is nothing to compare.',
      }),
    limits: limits.nullable().meta({
      description: 'Where 95 of 100 runs of an unchanged system lie; `null` if unknown.',
    }),
    outside: z.enum(['above', 'below']).exactOptional().meta({
      description: 'Present where the figure lies outside of its limits.',
    }),
    drift: z.enum(['up', 'down']).exactOptional().meta({
      description: 'Present where the cumulative sums find a slow drift.',
    }),
  })
  .meta({ id: 'TrendFigure' });

const trendRun = z
  .object({
    ...runName.shape,
    started_at: unixSeconds,
    state: runSummary.shape.state,
    config_name: z.string(),
    params: runSummary.shape.params,
    commit: z.string().exactOptional(),
    results: count,
    on_line: z.boolean().meta({
      description: 'False for other config, params or cases, and if it has not finished.',
    }),
    previous: runName.nullable(),
    no_previous: z.string().exactOptional().meta({ description: 'Why there is none.' }),
    figures: z.array(trendFigure.nullable()).meta({ description: 'In the order of `measures`.' }),
    cost: z.object({ cost: figure, unpriced: count }).nullable().meta({
      description:
        'US dollars, a lower bound with `unpriced` calls, `null` if unknown; `null` as a whole without calls.',
    }),
    p95: figureEstimate.nullable().meta({ description: 'Seconds, over finished attempts.' }),
    corrected: correctedScores.exactOptional(),
  })
  .meta({ id: 'TrendRun' });

const trendSchema = z
  .object({
    session_name: z.string(),
    config_name: z.string().nullable().meta({ description: 'The config of the line.' }),
    total: count.meta({ description: 'All runs of the session.' }),
    unreadable: z.array(z.string()).meta({ description: 'Names of runs that cannot be read.' }),
    baseline: runName.nullable(),
    no_limits: z.string().exactOptional().meta({ description: 'Why there are no limits.' }),
    measures: z
      .array(
        z.object({
          key: z.string().nullable(),
          type: z.enum(['ratio', 'avg']),
          name: z.string(),
          better: z.enum(['higher', 'lower']),
        }),
      )
      .meta({ description: 'The pass rate, whose key is `null`, then the scores.' }),
    runs: z.array(trendRun).meta({ description: 'Oldest first.' }),
  })
  .meta({ id: 'Trend' });
trendSchema satisfies z.ZodType<Trend>;

/** Answer without further data. */
export const done = z.object({ ok }).meta({ id: 'Done' });

const activatedRun = z
  .object({ ok, run_id: z.string(), run_name: z.string() })
  .meta({ id: 'ActivatedRun' });

const failedImport = z
  .object({ file: z.string(), line: count.exactOptional(), message: z.string() })
  .meta({ id: 'FailedImport' });

const emptyFile = z
  .object({
    file: z.string(),
    reason: z.string().meta({ description: 'Such as `exports nothing`.' }),
  })
  .meta({ id: 'EmptyFile', description: 'A file that was imported and has no evaluations.' });

/** A run without its results. */
const runStatusSchema = runData
  .omit({ results: true, eval_path: true, discovery_error: true })
  .extend({
    active: z.boolean().meta({ description: 'It is the active run.' }),
    is_paused: z.boolean().meta({ description: 'It is in progress here, and paused.' }),
    selected_total: count.meta({
      description: 'The number of results selected for the current or last execution.',
    }),
    unfinished: count.meta({ description: 'The number of pending and running results.' }),
    regradable: count.meta({
      description: 'The number of results with a stored output that can be graded again.',
    }),
    view_only: z
      .string()
      .nullable()
      .meta({ description: 'The reason why it can be viewed and edited, but not run again.' }),
    spent_of_max_cost: z.number().exactOptional().meta({
      description:
        'Only with `max_cost`: US dollars that the last execution has spent of it, with those of the executions that it resumes.',
    }),
    budget: z
      .object({
        max_cost: z.number().exactOptional(),
        spent: z.number(),
        unpriced: count,
        left: count,
      })
      .exactOptional()
      .meta({
        description:
          'Present if the budget stopped the last execution: US dollars, the number of calls of unknown cost, and that of the results that a resume runs.',
      }),
    process: z
      .object({ pid: z.int(), host: z.string() })
      .nullable()
      .meta({ description: 'The other process that has locked the run and may be running it.' }),
    executing_run_id: z
      .string()
      .nullable()
      .meta({ description: 'The run in progress in this server, which may be another one.' }),
    discovery: z
      .object({
        message: z.string(),
        failures: z.array(failedImport),
        empty: z.array(emptyFile),
      })
      .nullable()
      .meta({
        description:
          'Files that the last discovery could not find or import, and those without evaluations; `null` for runs that are not active.',
      }),
  })
  .meta({ id: 'RunStatus', description: 'A run without its results.' });
runStatusSchema satisfies z.ZodType<Awaited<ReturnType<typeof runStatus>>>;

/** Status of a run, for clients that do not need its results. */
async function runStatus(workspace: Workspace, run: StoredRun) {
  const isNew = workspace.isDraft(run);
  const reason = isNew ? undefined : await workspace.viewOnlyReason(run);
  const { owner } = run;
  const { budget, facts } = run.log.index;
  return {
    ...run.head(),
    ...(facts.max_cost !== undefined && { spent_of_max_cost: run.spentOfBudget.cost }),
    score_chips: run.summary().score_chips,
    active: run.runId === workspace.activeId,
    is_paused: workspace.isPaused(run),
    selected_total: run.selectedTotal,
    unfinished: run.rows.filter(isGoing).length,
    regradable: run.rows.filter(({ regradable, pruned }) => regradable && pruned !== true).length,
    view_only: reason ?? null,
    ...(budget && {
      budget: {
        ...(budget.max_cost !== undefined && { max_cost: budget.max_cost }),
        spent: run.spentOfBudget.cost,
        unpriced: run.spentOfBudget.unpriced,
        left: rowsLeft(run).length,
      },
    }),
    process: owner === undefined ? null : { pid: owner.pid, host: owner.host },
    executing_run_id: workspace.slot.started?.run_id ?? null,
    discovery: toDiscovery(workspace.discoveryProblem(run)),
  };
}

function toDiscovery(problem: Error | undefined) {
  if (problem === undefined) return null;
  const isDiscovery = problem instanceof DiscoveryError;
  const failures = isDiscovery ? problem.failures : [];
  return {
    message: problem.message,
    failures: failures.map(({ file, line, message }) => ({
      file,
      ...(line === undefined ? {} : { line }),
      message,
    })),
    empty: isDiscovery || problem instanceof NoEvaluationsError ? problem.empty : [],
  };
}
