import { z } from 'zod';
import { defineRoute, type Route } from '../http/route.js';
import {
  type ChangeEvent,
  mostFiles,
  mostIndices,
  type ProjectChange,
  type RunChange,
} from '../workspace/feed.js';
import type { Workspace } from '../workspace/workspace.js';
import { runData, runSummary } from './run.js';
import { count } from './values.js';

// Milliseconds after which a client reconnects.
const retry = 'retry: 1000\n\n';

/** Streams changes as they happen. */
export function eventRoutes(workspace: Workspace): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/events',
      operation: 'getEvents',
      tag: 'Events',
      summary: 'Changes from now on, as server-sent events.',
      description: [
        'At most ten events a second. The `event:` line names the type; the `data:` line is JSON:',
        '- `run`: the summary of a run changed.',
        `- \`results\`: results of a run changed, at most ${mostIndices} by their indices; read their rows if you show them.`,
        '- `sessions`: a listing of sessions or runs changed.',
        '- `project`: files of the project were saved, quick saves together; evals were discovered again, and `/changes` of runs may have other answers. Comes after the end of an execution that is in progress.',
        '- `settings`: the settings, or the choice of the run config, changed.',
        '',
        'Earlier changes are not sent: read your data after connecting, and again after each reconnection. Changes by other processes in the results directory are noticed within a second. The server allows 32 streams at a time (else 503), sends a comment every 15 seconds, and closes a stream whose reader is more than 1 MiB behind.',
      ].join('\n'),
      answer: {
        description: 'A stream of events.',
        contentType: 'text/event-stream',
        schema: changeEvent,
      },
      problems: [503],
      handle: () => ({
        kind: 'events',
        subscribe: (send) => {
          send(retry);
          return workspace.feed.subscribe(send);
        },
      }),
    }),
  ];
}

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
