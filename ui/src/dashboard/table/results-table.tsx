import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Run } from '../../api/client.js';
import { type RowFigures, useIsLoaded } from '../../api/row-queries.js';
import { useNarrow } from '../../browser/use-media.js';
import { useView } from '../use-view.js';
import { keptTables, tableKey, useActivePlace } from './actions/use-active-place.js';
import { useSelectAll } from './actions/use-row-selection.js';
import { columnTracks, visibleColumns } from './columns/columns.js';
import { useFittedColumns } from './columns/use-fitted-columns.js';
import { TableHead } from './head/table-head.js';
import { NoMatch } from './no-match.js';
import styles from './results-table.module.css';
import { RowList, type RowListProps } from './rows/row-list.js';

/** The rows of a run. `query`: the view as a query of the API. */
export function ResultsTable({
  run,
  figures,
  query: asked,
}: {
  run: Run;
  figures: RowFigures;
  query: string;
}) {
  const query = useShownQuery(run.run_id, asked);
  const [{ by }] = useView();
  const columns = useFittedColumns();
  const visible = useMemo(() => visibleColumns(columns), [columns]);
  const isNarrow = useNarrow();
  const grid = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const chipRoom = useChipRoom(grid, head, isNarrow, columnTracks(columns));
  const selectAll = useSelectAll(run.run_id, query, figures);

  const gridProps = {
    role: by === undefined ? 'grid' : 'treegrid',
    'aria-label': by === undefined ? 'Results' : `Results by ${by}`,
    'aria-rowcount': figures.count + (figures.summary.groups?.length ?? 0) + 1,
    'aria-multiselectable': true,
    'aria-busy': query !== asked,
  };
  return (
    <div
      ref={grid}
      {...gridProps}
      data-by={by}
      className={styles.grid}
      style={{ '--columns': columnTracks(columns) } as object}
    >
      <div role="rowgroup" className={styles.head}>
        <TableHead
          ref={head}
          columns={visible}
          figures={figures}
          checked={selectAll.checked}
          onSelectAll={selectAll.toggle}
        />
      </div>
      {figures.count === 0 ? (
        <NoMatch run={run} total={figures.total} />
      ) : (
        <Rows
          asked={asked}
          run={run}
          figures={figures}
          query={query}
          columns={visible}
          isNarrow={isNarrow}
          chipRoom={chipRoom}
          firstTop={() => firstTop(grid.current)}
          onSelectAll={selectAll.toggle}
        />
      )}
    </div>
  );
}

/** The rows of a view and the active one. `asked`: the requested view, which may be another one. */
function Rows({
  asked,
  ...props
}: { asked: string } & Omit<RowListProps, 'isLeft' | 'active' | 'setActive' | 'isHere'>) {
  const { run, query } = props;
  const [active, setActive] = useActivePlace(run.run_id, asked);
  // After going back, the focus is in the rows again.
  const isHere = useRef<boolean | undefined>(keptTables.get(tableKey(run.run_id, query)) && true);
  return (
    <RowList
      key={tableKey(run.run_id, query)}
      isLeft={query !== asked}
      active={active}
      setActive={setActive}
      isHere={isHere}
      {...props}
    />
  );
}

/** The query of the loaded rows: the previous one while a new one is loading. */
function useShownQuery(run: string, query: string): string {
  const [shown, setShown] = useState(query);
  // Loaded by the page. The figures do not show a change of the sort order, so the first page of rows must.
  const isLoaded = useIsLoaded(run, query);
  if (isLoaded && shown !== query) setShown(query);
  return isLoaded ? query : shown;
}

/** The scroll position of a new view: its first row, or higher if the page was. */
function firstTop(grid: HTMLElement | null): number {
  if (grid === null) return window.scrollY;
  return Math.min(window.scrollY, grid.getBoundingClientRect().top + window.scrollY);
}

/** The width in pixels available for the chips of a row. */
function useChipRoom(
  grid: { readonly current: HTMLElement | null },
  head: { readonly current: HTMLElement | null },
  isNarrow: boolean,
  tracks: string,
): number {
  const [room, setRoom] = useState(262);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the width changes with the columns.
  useLayoutEffect(() => {
    const measure = () => {
      const cell = head.current?.querySelector('[data-column=scores]');
      const width = isNarrow
        ? (grid.current?.clientWidth ?? 0) - 46
        : (cell?.getBoundingClientRect().width ?? 0) + 4;
      setRoom(Math.round(width));
    };
    measure();
    const observer = new ResizeObserver(measure);
    if (grid.current) observer.observe(grid.current);
    return () => observer.disconnect();
  }, [grid, head, isNarrow, tracks]);
  return room;
}
