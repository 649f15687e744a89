import { z } from 'zod';
import { DiscoveryError } from '../../runner/discovery/discovery-error.js';
import { NoEvaluationsError } from '../../runner/discovery/no-evaluations-error.js';
import { viewOnlyReason } from '../../runner/saved-run/view-only.js';
import type { StoredRun } from '../../store/stored-run.js';
import { isGoing } from '../workspace/followed-run.js';
import { rowsLeft } from '../workspace/progress.js';
import type { Workspace } from '../workspace/workspace.js';
import { runData } from './run.js';
import { count } from './values.js';

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
export const runStatusSchema = runData
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
export async function runStatus(workspace: Workspace, run: StoredRun) {
  const isNew = workspace.isDraft(run);
  const reason = isNew ? undefined : await viewOnlyReason(workspace.runner, run);
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
