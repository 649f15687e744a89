import type { Query, QueryClient } from '@tanstack/react-query';
import { EventConnection } from './connection.js';
import { keys } from './keys.js';
import { patchRun } from './patch-run.js';
import type { ChangeEvent, RunChange } from './schema.js';
import { throttle } from './throttle.js';

/** Rows of a run in progress are read again this many milliseconds after the last time, and when that took long, twice as many as it took. */
const rowsThrottle = [100, 2] as const;
/** Listings, comparisons and who runs what are read again at most this often, in milliseconds. */
const readAgainAfter = 1000;

/** Called with the summary of each run that changes. */
export type RunListener = (change: RunChange) => void;

/**
 * Keeps what is kept of the server as it is there. The rows of a run are read again with its counts and its progress,
 * in one answer of one moment: what the page shows of a run in progress agrees.
 */
export function followEvents(cache: QueryClient, onRun: RunListener = () => {}): EventConnection {
  const readRowsAgain = throttleEach((run) => readRows(cache, run), ...rowsThrottle);
  const compareAgain = throttleEach((run) => readComparisons(cache, run), readAgainAfter);
  const onRows = (run: string) => {
    readRowsAgain(run);
    compareAgain(run);
  };
  // When a run begins, ends, appears or is deleted, the state of every other run may change: which one runs, which may start.
  const readRuns = throttle(() => cache.invalidateQueries({ queryKey: keys.runs }), readAgainAfter);
  const states = new Map<string, RunChange['state']>();
  const readListings = throttle(() => readListed(cache), readAgainAfter);
  const onEvent = (type: string, data: unknown) => {
    // The server validates what it sends against the very schema the type is made of.
    const event = { type, data } as ChangeEvent;
    if (event.type === 'run') {
      patchRun(cache, event.data);
      if (states.get(event.data.run_id) !== event.data.state) readRuns();
      states.set(event.data.run_id, event.data.state);
      if (event.data.untold_results > 0) {
        void cache.invalidateQueries({ queryKey: keys.results(event.data.run_id) });
      }
      onRows(event.data.run_id);
      onRun(event.data);
    } else if (event.type === 'results') {
      for (const { index } of event.data.rows) {
        void cache.invalidateQueries({ queryKey: keys.result(event.data.run_id, index) });
      }
      onRows(event.data.run_id);
    } else if (event.type === 'sessions') readListings();
    else void cache.invalidateQueries({ queryKey: keys.settings });
  };
  const connection = new EventConnection({
    onEvent,
    // Nothing that happened before is sent, so what was read before may be old.
    onOpen: () => void cache.invalidateQueries({}, { cancelRefetch: false }),
  });
  connection.open();
  return connection;
}

/** Paces something for each run by itself. */
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

/** Reads the listings again, and what is in sight of runs: one of them may be gone. */
function readListed(cache: QueryClient): Promise<unknown> {
  return Promise.all(
    [keys.sessions, keys.runs, keys.allResults].map((queryKey) =>
      cache.invalidateQueries({ queryKey }),
    ),
  );
}

/** Reads the rows of a run again, and what was counted over them. */
async function readRows(cache: QueryClient, run: string): Promise<void> {
  const queryKey = keys.rows(run);
  // The first answer is waited for; what was asked for before the change may be without it.
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

/** Reads the comparisons that a run is in again. */
function readComparisons(cache: QueryClient, run: string): Promise<unknown> {
  const names = (runs: unknown) => Array.isArray(runs) && runs.includes(run);
  return cache.invalidateQueries({
    queryKey: keys.comparisons,
    predicate: ({ queryKey }) => names(queryKey[1]),
  });
}
