import { defineRoute, type Route } from '../http/route.js';
import type { ChangeFeed } from '../workspace/change-feed.js';

// Milliseconds after which a client whose stream ended connects again.
const retry = 'retry: 1000\n\n';

/** What changes, while it changes. */
export function eventRoutes(feed: Pick<ChangeFeed, 'subscribe'>): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/events',
      operation: 'getEvents',
      tag: 'Events',
      summary: 'What changes from now on, as server-sent events.',
      description: [
        'At most ten a second. The name of an event says what its `data` is:',
        '- `run` (RunChangedEvent): the summary of a run changed.',
        '- `results` (ResultsChangedEvent): results of a run changed, at most 200; these are their light rows.',
        '- `sessions` (`{}`): a listing of sessions or runs reads differently.',
        '- `settings` (`{}`): the settings, or the choice of the run config, changed.',
        '',
        'Read what you show after connecting, and again after each reconnection: nothing that happened before is sent. What other processes do in the results directory is noticed within a second. At most 32 streams at a time (503); every 15 seconds there is a comment, and a reader that is more than 1 MiB behind is dropped.',
      ].join('\n'),
      answer: { description: 'A stream of events.', contentType: 'text/event-stream' },
      problems: [503],
      handle: () => ({
        kind: 'events',
        subscribe: (send) => {
          send(retry);
          return feed.subscribe(send);
        },
      }),
    }),
  ];
}
