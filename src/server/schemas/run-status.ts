import { z } from 'zod';
import type { RunStatus } from '../workspace/run-status.js';
import { count } from './basic-values.js';
import { runData } from './run.js';

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
export const runStatus = runData
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
runStatus satisfies z.ZodType<RunStatus>;
