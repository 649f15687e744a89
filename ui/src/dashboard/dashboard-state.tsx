import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import type { Run } from '../api/client.js';
import { useChanges } from '../api/queries.js';
import type { RowFigures } from '../api/row-queries.js';
import type { TableRow } from '../api/schema.js';

/** What the page shows. */
interface Shown {
  readonly run: Run;
  /** Absent until the rows are read. */
  readonly figures: RowFigures | undefined;
  /** The view, with what its columns need, as a query of the API for rows. */
  readonly query: string;
}

/** The selected rows, by their index in the run. */
interface SelectedRows {
  readonly indices: ReadonlySet<number>;
  readonly select: (indices: ReadonlySet<number>) => void;
  readonly clear: () => void;
}

const none: ReadonlySet<number> = new Set();
const ShownContext = createContext<Shown | undefined>(undefined);
const SelectionContext = createContext<SelectedRows | undefined>(undefined);
const ChangedContext = createContext(none);

/** Holds the run of the page, and which of its rows are selected or out of date; use the run as `key`. */
export function DashboardState({ children, ...shown }: Shown & { children: ReactNode }) {
  const { run } = shown;
  const [indices, select] = useState(none);
  const selection = useMemo(() => ({ indices, select, clear: () => select(none) }), [indices]);
  const { data } = useChanges(run);
  const changed = useMemo(
    () => (data === undefined ? none : new Set(data.changes.flatMap((one) => one.indices))),
    [data],
  );
  return (
    <ShownContext value={shown}>
      <SelectionContext value={selection}>
        <ChangedContext value={changed}>{children}</ChangedContext>
      </SelectionContext>
    </ShownContext>
  );
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Only the dashboard has this.');
  return value;
}

/** The run of the page, and the figures of its rows. */
export function useShown(): Shown {
  return present(useContext(ShownContext));
}

/** The figures of the rows, for what is shown once they are read. */
export function useFigures(): RowFigures {
  return present(useShown().figures);
}

/** The selected rows, and functions to change the selection. */
export function useSelection(): SelectedRows {
  return present(useContext(SelectionContext));
}

/** The indices of the results that edits have made out of date. */
export function useChangedRows(): ReadonlySet<number> {
  return useContext(ChangedContext);
}

/** True if a finished result, or one of the trials of a row, is out of date, and not simply all of the run, as the banner says. */
export function useIsOutOfDate({ index, status, fold }: TableRow): boolean {
  const changed = useChangedRows();
  const { run } = useShown();
  if (changed.size === 0 || changed.size >= run.total_evaluations) return false;
  if (status !== 'completed' && status !== 'error') return false;
  return fold === undefined ? changed.has(index) : fold.indices.some((one) => changed.has(one));
}
