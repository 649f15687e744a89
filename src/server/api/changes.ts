import { z } from 'zod';
import type { ChangedResult } from '../../runner/find-changes.js';
import { defineRoute, json, type Route } from '../http/route.js';
import type { Workspace } from '../workspace/workspace.js';
import { checkProblem, count, runIdParams } from './values.js';

/** Tells what of a run is out of date. */
export function changesRoutes(workspace: Workspace): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/runs/{run_id}/changes',
      operation: 'getChanges',
      tag: 'Running',
      summary: 'The finished results of a run that edits of the project can have changed.',
      description:
        'Imports the eval files, but runs nothing. The answer is kept until a file is saved or the run executes. Run the results with `POST /api/runs/rerun` and their `indices`, or grade them again with `POST /api/runs/regrade`. Results of which it cannot be told, for example because their target starts a process, are listed once a file has been saved since the run began. 409 while the run is in progress.',
      params: runIdParams,
      answer: { description: 'What is out of date.', schema: runChanges },
      problems: [409],
      handle: async ({ params, onEnd }) => {
        const run = await workspace.read(params.run_id, onEnd);
        const { version, results, added, gone, problem } = await workspace.project.checks.of(run);
        return json({
          ...{ run_id: run.runId, version, changes: byReason(results), added, gone },
          ...(problem && { problem: problem.message }),
        });
      },
    }),
  ];
}

/** Results with the same reason together. */
function byReason(results: readonly ChangedResult[]) {
  const groups = new Map<
    string,
    Pick<ChangedResult, 'action' | 'reason'> & { readonly indices: number[] }
  >();
  for (const { action, reason, index } of results) {
    const key = `${action}\0${reason}`;
    const group = groups.get(key) ?? { action, reason, indices: [] };
    groups.set(key, group);
    group.indices.push(index);
  }
  return [...groups.values()];
}

const runChanges = z
  .object({
    run_id: z.string(),
    version: z.string().meta({ description: 'Changes with every new check of the run.' }),
    changes: z.array(
      z
        .object({
          action: z.enum(['run', 'regrade']).meta({
            description: '`regrade`: only the grade is out of date; the target need not be called.',
          }),
          reason: z.string().meta({ description: 'Such as `prompts/refund.md` or `its case`.' }),
          indices: z.array(count),
        })
        .meta({
          id: 'ChangedResults',
          description: 'Results that are out of date for one reason.',
        }),
    ),
    added: count.meta({
      description: 'The number of results that a rerun of everything would add.',
    }),
    gone: count.meta({
      description: 'The number of results whose evaluation no longer exists.',
    }),
    problem: checkProblem,
  })
  .meta({ id: 'RunChanges' });
