import type { Query, QueryClient } from '@tanstack/react-query';
import { EventConnection } from './connection.js';
import { keys } from './keys.js';
import { patchRun } from './patch-run.js';
import type { ChangeEvent, RunChange } from './schema.js';
import { throttle } from './throttle.js';

/**
 * Milliseconds before the rows of a run in progress are read again, or that many times the duration of the last
 * read if that is longer.
 */
const rowsThrottle = [100, 2] as const;
/** Minimum milliseconds between reads of listings, comparisons and run states. */
const readAgainAfter = 1000;

/** Called with the summary of each run that changes. */
export type RunChangeListener = (change: RunChange) => void;

/**
 * Keeps the cache in sync with the server. The rows of a run are read together with its counts and progress, in one
 * consistent answer.
 */
export function followEvents(
  cache: QueryClient,
  onRun: RunChangeListener = () => {},
): EventConnection {
  const readRowsAgain = throttleEach((run) => readRows(cache, run), ...rowsThrottle);
  const compareAgain = throttleEach((run) => readComparisons(cache, run), readAgainAfter);
  const onRows = (run: string) => {
    readRowsAgain(run);
    compareAgain(run);
  };
  // When a run begins, ends, appears or is deleted, the state of every other run may change too.
  const readRuns = throttle(() => cache.invalidateQueries({ queryKey: keys.runs }), readAgainAfter);
  const states = new Map<string, RunChange['state']>();
  const readListings = throttle(() => readListed(cache), readAgainAfter);
  const onEvent = (type: string, data: unknown) => {
    // The server validates events against the schema from which this type is generated.
    const event = { type, data } as ChangeEvent;
    if (event.type === 'run') {
      patchRun(cache, event.data);
      if (states.get(event.data.run_id) !== event.data.state) readRuns();
      states.set(event.data.run_id, event.data.state);
      if (event.data.unlisted_results > 0) {
        void cache.invalidateQueries({ queryKey: keys.results(event.data.run_id) });
      }
      onRows(event.data.run_id);
      onRun(event.data);
    } else if (event.type === 'results') {
      for (const index of event.data.indices) {
        void cache.invalidateQueries({ queryKey: keys.result(event.data.run_id, index) });
      }
      onRows(event.data.run_id);
    } else if (event.type === 'project') {
      void cache.invalidateQueries({ queryKey: keys.allChanges });
      void cache.invalidateQueries({
        queryKey: keys.allRows,
        predicate: ({ queryKey: [, , query] }) => String(query).includes('changed='),
      });
      // They name the files that cannot be imported.
      readRuns();
    } else if (event.type === 'sessions') readListings();
    else void cache.invalidateQueries({ queryKey: keys.settings });
  };
  const connection = new EventConnection({
    onEvent,
    // The stream does not repeat earlier events, so cached data may be stale.
    onOpen: () => void cache.invalidateQueries({}, { cancelRefetch: false }),
  });
  connection.open();
  return connection;
}

/** Throttles an action per run. */
function throttleEach(
  act: (run: string) => Promise<unknown>,
  pause: number,
  rest?: number,
): (run: string) => void {
  const acts = new Map<string, () => void>();
  return (run) => {
    let again = acts.get(run);
    if (again === undefined) {
      again = throttle(() => act(run), pause, rest);
      acts.set(run, again);
    }
    again();
  };
}

/** Reads the listings and visible runs again, one of which may be deleted. */
function readListed(cache: QueryClient): Promise<unknown> {
  return Promise.all(
    [keys.sessions, keys.runsInProgress, keys.runs, keys.allResults].map((queryKey) =>
      cache.invalidateQueries({ queryKey }),
    ),
  );
}

/** Reads the rows of a run and their summary again. */
async function readRows(cache: QueryClient, run: string): Promise<void> {
  const queryKey = keys.rows(run);
  // Waits for the first answer; other requests in flight may lack the change.
  const isFirst = ({ state }: Query) => state.data === undefined;
  const firsts = cache
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: 'fetching', predicate: isFirst });
  await cache.invalidateQueries({ queryKey });
  const answered = new Set(firsts.map(({ queryHash }) => queryHash));
  if (answered.size > 0) {
    const predicate = ({ queryHash }: Query) => answered.has(queryHash);
    await cache.invalidateQueries({ queryKey, predicate });
  }
}

/** Reads the comparisons that contain a run again. */
function readComparisons(cache: QueryClient, run: string): Promise<unknown> {
  const names = (runs: unknown) => Array.isArray(runs) && runs.includes(run);
  return cache.invalidateQueries({
    queryKey: keys.comparisons,
    predicate: ({ queryKey }) => names(queryKey[1]),
  });
}
