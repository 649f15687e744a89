import { z } from 'zod';
import type { ChangeEvent, ProjectChange } from '../workspace/change-event.js';
import { mostFiles } from '../workspace/change-feed.js';
import { mostIndices, type RunChange } from '../workspace/followed-run.js';
import { count } from './basic-values.js';
import { runData, runSummary } from './run.js';

const run = runData
  .omit({ created_at: true, path: true, eval_path: true, discovery_error: true, results: true })
  .extend({
    timestamp: runSummary.shape.timestamp,
    active: z.boolean().meta({ description: 'It is the active run.' }),
    is_paused: z.boolean().meta({ description: 'It is the active run, and paused.' }),
    selected_total: count.meta({
      description: 'The number of results selected for the current or last execution.',
    }),
    unfinished: count.meta({ description: 'The number of pending and running results.' }),
    pass_rate: runSummary.shape.pass_rate,
    unlisted_results: count.meta({
      description:
        'The number of changed results that no `results` event lists, because they are too many; read the results again.',
    }),
  })
  .meta({ id: 'RunChange', description: 'The summary of a changed run.' });
run satisfies z.ZodType<RunChange>;

const results = z
  .object({ run_id: z.string(), indices: z.array(count).max(mostIndices) })
  .meta({ id: 'ResultsChange', description: 'The indices of changed results.' });

const project = z
  .object({
    files: z.array(z.string()).max(mostFiles).meta({
      description: 'Names of saved files, relative to the working directory.',
    }),
    more: count.meta({ description: 'The number of saved files that are not named.' }),
  })
  .meta({ id: 'ProjectChange', description: 'The files that were saved.' });
project satisfies z.ZodType<ProjectChange>;

const nothing = z.strictObject({});

/** One event of the stream, its data parsed. */
export const changeEvent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('run'), data: run }),
    z.object({ type: z.literal('results'), data: results }),
    z.object({ type: z.literal('sessions'), data: nothing }),
    z.object({ type: z.literal('project'), data: project }),
    z.object({ type: z.literal('settings'), data: nothing }),
  ])
  .meta({
    id: 'ChangeEvent',
    description:
      'An event of the stream: `type` is its `event:` line, `data` the JSON of its `data:` line.',
  });
changeEvent satisfies z.ZodType<ChangeEvent>;
