import type { QueryClient } from '@tanstack/react-query';
import { EventConnection } from './connection.js';
import { keys } from './keys.js';
import { paced } from './paced.js';
import { patchRows, patchRun } from './patch-rows.js';
import { rowNews } from './row-queries.js';
import type { ChangeEvent, RunChange } from './schema.js';

/** Sums and orders of a run that changes are read again at most this often, in milliseconds. */
const readAgainAfter = 1000;

/** Is told about the summaries of runs that change. */
export type RunListener = (change: RunChange) => void;

/** Keeps what is kept of the server as it is there: rows are patched, what rests on many rows is read again. */
export function followEvents(cache: QueryClient, onRun: RunListener = () => {}): EventConnection {
  const readers = new Map<string, () => void>();
  const readRowsAgain = (run: string) => {
    let read = readers.get(run);
    if (read === undefined) {
      read = paced(() => readAgain(cache, run), readAgainAfter);
      readers.set(run, read);
    }
    read();
  };
  // Who runs what, and what may be run, changes for every run when one begins or ends, comes or goes.
  const readRuns = paced(() => cache.invalidateQueries({ queryKey: keys.runs }), readAgainAfter);
  const states = new Map<string, RunChange['state']>();
  const readListings = paced(() => readListed(cache), readAgainAfter);
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
      readRowsAgain(event.data.run_id);
      onRun(event.data);
    } else if (event.type === 'results') {
      rowNews.tell(event.data.run_id, event.data.rows);
      patchRows(cache, event.data.run_id, event.data.rows);
      readRowsAgain(event.data.run_id);
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

/** Reads the listings again, and what is in sight of runs: one of them may be gone. */
function readListed(cache: QueryClient): Promise<unknown> {
  return Promise.all(
    [keys.sessions, keys.runs, keys.allResults].map((queryKey) =>
      cache.invalidateQueries({ queryKey }),
    ),
  );
}

/** Reads the rows of a run again, and the comparisons it is in. */
function readAgain(cache: QueryClient, run: string): Promise<unknown> {
  const names = (runs: unknown) => Array.isArray(runs) && runs.includes(run);
  return Promise.all([
    cache.invalidateQueries({ queryKey: keys.rows(run) }),
    cache.invalidateQueries({
      queryKey: keys.comparisons,
      predicate: ({ queryKey }) => names(queryKey[1]),
    }),
  ]);
}
