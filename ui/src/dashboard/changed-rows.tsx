import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Run } from '../api/client.js';
import { useChanges } from '../api/queries.js';
import type { TableRow } from '../api/schema.js';

const none: ReadonlySet<number> = new Set();
const Context = createContext(none);

/** Holds the indices of the results that edits have made out of date. */
export function ChangedRowsProvider({ run, children }: { run: Run; children: ReactNode }) {
  const { data } = useChanges(run);
  const indices = useMemo(
    () => (data === undefined ? none : new Set(data.changes.flatMap((one) => one.indices))),
    [data],
  );
  return <Context value={indices}>{children}</Context>;
}

/** The indices of the results that are out of date. */
export function useChangedRows(): ReadonlySet<number> {
  return useContext(Context);
}

/** True if a finished result, or one of the trials of a row, is out of date. */
export function useIsOutOfDate({ index, status, fold }: TableRow): boolean {
  const changed = useContext(Context);
  if (changed.size === 0 || (status !== 'completed' && status !== 'error')) return false;
  return fold === undefined ? changed.has(index) : fold.indices.some((one) => changed.has(one));
}
