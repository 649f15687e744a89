import { defineRoute, type Route } from '../http/route.js';
import { changeEvent } from '../schemas/event.js';
import { mostIndices } from '../workspace/followed-run.js';
import type { Workspace } from '../workspace/workspace.js';

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
