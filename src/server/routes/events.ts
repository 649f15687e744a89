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
        'At most ten a second; the `event:` line of each says what its `data:`, one line of JSON, is:',
        '- `run`: the summary of a run changed.',
        `- \`results\`: results of a run changed, at most ${mostIndices}; the rows are as they are now.`,
        '- `sessions`: a listing of sessions or runs reads differently.',
        '- `settings`: the settings, or the choice of the run config, changed.',
        '',
        'Nothing that happened before is sent: read what you show after connecting, and again after each reconnection. Changes by other processes in the results directory are noticed within a second. There may be 32 streams at a time (else 503); every 15 seconds there is a comment, and a reader that is more than 1 MiB behind is dropped.',
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
