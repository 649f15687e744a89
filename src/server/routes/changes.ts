import type { ChangedResult } from '../../runner/changes/find-changes.js';
import { json } from '../http/answer.js';
import { defineRoute, type Route } from '../http/route.js';
import { runChanges } from '../schemas/changes.js';
import { runIdParams } from '../schemas/parameters.js';
import type { Workspace } from '../workspace/workspace.js';

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
