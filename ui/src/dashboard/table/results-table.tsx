import { useQueries } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { getRowPage } from '../../api/client.js';
import { keys } from '../../api/keys.js';
import { useIsLoaded } from '../../api/row-queries.js';
import { useMeasured } from '../../browser/use-measured.js';
import { useNarrow } from '../../browser/use-media.js';
import { Button } from '../../components/controls/button.js';
import { count, counted } from '../../components/figures/figures.js';
import { Empty } from '../../components/messages/empty.js';
import { useFigures, useShown } from '../dashboard-state.js';
import { filterText } from '../filters/filter-values.js';
import { useView } from '../use-view.js';
import {
  type FilterKind,
  filterKinds,
  isChosen,
  noChoice,
  renderRowQuery,
  type View,
  withChoice,
  withoutFilters,
} from '../view-state.js';
import { keptTables, tableKey, useActivePlace } from './actions/row-places.js';
import { useSelectAll } from './actions/use-row-selection.js';
import { type Columns, columnTracks, visibleColumns } from './columns/columns.js';
import { TableHead } from './head/table-head.js';
import styles from './results-table.module.css';
import { RowList, type RowListProps } from './rows/row-list.js';

/** The rows of the run. `columns`: those that have room. */
export function ResultsTable({ columns }: { columns: Columns }) {
  const { run, query: asked } = useShown();
  const figures = useFigures();
  const query = useShownQuery(run.run_id, asked);
  const [{ by }] = useView();
  const visible = useMemo(() => visibleColumns(columns), [columns]);
  const isNarrow = useNarrow();
  const grid = useRef<HTMLDivElement>(null);
  const tracks = columnTracks(columns);
  const chipRoom = useMeasured(grid, (of) => chipRoomIn(of, isNarrow), 262, [isNarrow, tracks]);
  const selectAll = useSelectAll(query);

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
      style={{ '--columns': tracks } as object}
    >
      <div role="rowgroup" className={styles.head}>
        <TableHead columns={visible} checked={selectAll.checked} onSelectAll={selectAll.toggle} />
      </div>
      {figures.count === 0 ? (
        <NoMatch />
      ) : (
        <Rows
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

/** The rows of a view and the active one. */
function Rows(props: Omit<RowListProps, 'isLeft' | 'active' | 'setActive' | 'isHere'>) {
  // The requested view may be another one.
  const { run, query: asked } = useShown();
  const { query } = props;
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

/** The width in pixels available for the chips of a row. */
function chipRoomIn(grid: HTMLElement, isNarrow: boolean): number {
  if (isNarrow) return grid.clientWidth - 46;
  const head = grid.querySelector('[data-column=scores]');
  return Math.round((head?.getBoundingClientRect().width ?? 0) + 4);
}

/** The scroll position of a new view: its first row, or higher if the page was. */
function firstTop(grid: HTMLElement | null): number {
  if (grid === null) return window.scrollY;
  return Math.min(window.scrollY, grid.getBoundingClientRect().top + window.scrollY);
}

/** A part of the filter, and the view without it. */
interface Part {
  readonly kind: FilterKind | 'search';
  readonly text: string;
  readonly without: View;
}

/** The empty table: says which part of the filter has no matches. */
function NoMatch() {
  const { run } = useShown();
  const { total } = useFigures();
  const [view, setView] = useView();
  const parts = partsOf(view);
  const answers = useQueries({
    queries: parts.map(({ without }) => matchesOptions(run.run_id, without)),
  });
  const useful = parts
    .map((part, n) => ({ ...part, matches: answers[n]?.data?.filtered ?? 0 }))
    .filter(({ matches }) => matches > 0);
  return (
    <div role="rowgroup">
      <div role="row">
        <div role="gridcell">
          <Empty
            title="No result matches"
            actions={
              <>
                {parts.length > 1 &&
                  useful.map(({ kind, text, without }) => (
                    <Button key={kind} onClick={() => setView(without)}>
                      Drop “{text}”
                    </Button>
                  ))}
                <Button
                  look={parts.length > 1 ? 'ghost' : 'plain'}
                  onClick={() => setView(withoutFilters)}
                >
                  Clear all filters
                </Button>
              </>
            }
          >
            <p>
              {parts.length === 1
                ? `None of ${counted(total, 'result')} matches “${parts[0]?.text}”.`
                : `No result is ${inOne(parts.map(({ text }) => `“${text}”`))}. ${useful
                    .map(({ text, matches }) => `Without “${text}” ${matching(matches)}.`)
                    .join(' ')}`}
            </p>
          </Empty>
        </div>
      </div>
    </div>
  );
}

/** The request for the number of results that a view matches. */
export function matchesOptions(run: string, view: View) {
  const query = renderRowQuery({ ...view, by: undefined });
  return {
    queryKey: [...keys.rows(run), query, 'matches'],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => {
      const params = new URLSearchParams(query);
      params.set('limit', '0');
      return getRowPage(run, params, signal);
    },
  };
}

/** `a and b`, `a, b and c` */
function inOne(texts: readonly string[]): string {
  return [texts.slice(0, -1).join(', '), ...texts.slice(-1)].join(' and ');
}

function matching(results: number): string {
  return results === 1 ? 'one matches' : `${count(results)} match`;
}

function partsOf(view: View): Part[] {
  const parts = filterKinds
    .filter((kind) => isChosen(view.filters[kind]))
    .map((kind): Part => {
      const { include, exclude } = view.filters[kind];
      const text = [
        include.map((value) => filterText(kind, value)).join(' or '),
        ...exclude.map((value) => `not ${filterText(kind, value)}`),
      ]
        .filter((words) => words !== '')
        .join(', ');
      return { kind, text, without: withChoice(view, kind, noChoice) };
    });
  const search: Part[] =
    view.search === ''
      ? []
      : [{ kind: 'search', text: view.search, without: { ...view, search: '' } }];
  return [...parts, ...search];
}
