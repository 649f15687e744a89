import { type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  lazy,
  type RefObject,
  Suspense,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { pageSize, useRows, useRowsOf } from '../../../api/row-queries.js';
import type { TableGroup } from '../../../api/schema.js';
import { usePageBox } from '../../../browser/use-page-box.js';
import { loadable } from '../../../components/controls/loadable.js';
import { nameEndOf } from '../../../components/names/name-ends.js';
import { tellingEnds } from '../../../components/names/telling-end.js';
import { useRowFocus, withActiveLine } from '../../../lists/row-focus.js';
import { useOnUnmount } from '../../../lists/view-memory.js';
import { useFigures, useShown } from '../../dashboard-state.js';
import { accessOf } from '../../use-run-actions.js';
import { useView } from '../../use-view.js';
import { isFolded } from '../../view-state.js';
import {
  followedPlace,
  keptTables,
  type Place,
  placeAt,
  tableKey,
  useOpenings,
} from '../actions/row-places.js';
import { useRowCommands } from '../actions/use-row-commands.js';
import { useRowSelection } from '../actions/use-row-selection.js';
import { groupName, rowName } from '../cells/row-standing.js';
import type { ColumnId } from '../columns/columns.js';
import styles from '../results-table.module.css';
import { RowSlots } from '../scrolling/row-slots.js';
import { type Line, lineKey, TableLayout } from '../scrolling/table-layout.js';
import { TableRow } from './table-row.js';

const details = loadable(() => import('./row-detail.js'));

const GroupLine = lazy(async () => ({
  default: (await import('../../groups/group-line.js')).GroupLine,
}));

const noGroups: readonly TableGroup[] = [];

/** Rows that are read before and after the visible ones. */
const around = 200;
/** With fewer results, p95 is meaningless. */
const minForSlow = 20;
/** Pixels that a narrow trial has before and after its chips. */
const trialInset = 106;

export interface RowListProps {
  /** The view whose rows are loaded. */
  readonly query: string;
  readonly columns: readonly ColumnId[];
  readonly isNarrow: boolean;
  readonly chipRoom: number;
  /** True when another view is requested; these rows stay until its rows are loaded. */
  readonly isLeft: boolean;
  /** The active row of the requested view. */
  readonly active: Place;
  readonly setActive: (place: Place) => void;
  /** True while the focus is in the rows; `undefined` if that is not known yet. */
  readonly isHere: RefObject<boolean | undefined>;
  /** The scroll position of a view that was not opened before. */
  readonly firstTop: () => number;
  readonly onSelectAll: () => void;
}

/** The visible rows of one view of a run. Use `tableKey` as `key`. */
export function RowList(props: RowListProps) {
  const { query, columns, isNarrow, setActive } = props;
  const { run } = useShown();
  const figures = useFigures();
  const key = tableKey(run.run_id, query);
  const [kept] = useState(() => keptTables.get(key));
  const [heights] = useState(() => new Map(kept?.heights));
  const body = useRef<HTMLDivElement>(null);
  const { openings, isOpen, toggle, follow } = useOpenings(kept?.openings ?? []);
  const detailParts = details.use(openings.length > 0);
  const [{ by, folds }] = useView();
  const { groups = noGroups, previous } = figures.summary;
  // Part of a run says little about its groups.
  const base = run.state === 'running' ? undefined : previous?.run_id;
  const groupEnds = useMemo(
    () => tellingEnds(groups.map((group) => groupName(group, by ?? ''))),
    [groups, by],
  );
  const layout = useMemo(() => {
    const sections = groups.map(({ key, rows }) => ({
      rows,
      isFolded: isFolded(folds, key, groups.length),
    }));
    return new TableLayout(figures.count, openings, sections);
  }, [figures.count, openings, groups, folds]);
  const lineOf = ({ position, index, id, group: key }: Place) => {
    // A view begins at its first line.
    if (position === 0 && id === undefined && key === undefined) return 0;
    const group = groups.findIndex((one) => one.key === key);
    return group === -1 ? layout.find(position, index) : layout.findGroup(group);
  };

  const { virtualizer, scrollMargin } = useRowWindow({
    body,
    layout,
    isNarrow,
    activeLine: lineOf(props.active),
    heights,
    initialTop: () => kept?.top ?? props.firstTop(),
  });
  const items = virtualizer.getVirtualItems();
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
  const first = layout.at(startIndex).position;
  const end = layout.at(endIndex).position + 1;
  const lines = items.map(({ index }) => layout.at(index));
  const { rows, rowAt } = useLineRows(query, layout, lines, { first, end });
  useLayoutEffect(() => follow(rows.at));

  const isPlaced = !props.isLeft && virtualizer.range !== null;
  const active = isPlaced
    ? followedPlace(props.active, rows.at, { first, end, count: figures.count })
    : props.active;
  useLayoutEffect(() => {
    if (active !== props.active) setActive(active);
  });
  const activeLine = lineOf(active);
  const { enter, listeners } = useRowFocus(body, props.isHere);

  const selection = useRowSelection(query, layout, rowAt);
  const keepHere = () =>
    keptTables.keep(key, {
      top: virtualizer.scrollOffset ?? 0,
      openings,
      heights,
    });
  const { handlers, onKeyDown } = useRowCommands({
    layout,
    activeLine,
    activate: ({ kind, position, index, group }) =>
      setActive(
        group !== undefined
          ? { position, group: groups[group]?.key ?? null }
          : {
              ...placeAt(position, props.isLeft ? undefined : rows.at(position)),
              ...(kind === 'trial' && index !== undefined && { index }),
            },
      ),
    enter,
    rowAt,
    isOpen,
    toggle,
    selection,
    keepHere,
    onSelectAll: props.onSelectAll,
    reveal: (line) => virtualizer.scrollToIndex(line, { align: 'auto' }),
    page: Math.max(1, endIndex - startIndex - 1),
  });
  useOnUnmount(keepHere);

  const { count, p95 } = figures.summary.latency;
  const [slots] = useState(() => new RowSlots());
  const slotOf = slots.assign(lines.map(lineKey));
  const canRun = accessOf(run) === 'free';
  return (
    <div
      role="rowgroup"
      ref={body}
      className={styles.body}
      data-selecting={selection.isSelecting}
      style={{ height: virtualizer.getTotalSize() }}
      onKeyDown={onKeyDown}
      {...listeners}
    >
      {items.map(({ index: n, start }, place) => {
        const line = layout.at(n);
        const row = rowAt(line);
        const top = start - scrollMargin;
        const common = { line, rowIndex: n + 2, top, isActive: n === activeLine };
        if (line.kind === 'detail') {
          return (
            detailParts && (
              <detailParts.DetailLine
                key={lineKey(line)}
                {...common}
                number={n}
                row={row ?? rowAt({ ...line, kind: 'row' })}
                columns={columns}
                measure={virtualizer.measureElement}
                handlers={handlers}
              />
            )
          );
        }
        const group = line.group === undefined ? undefined : groups[line.group];
        if (group !== undefined && by !== undefined) {
          return (
            <Suspense key={lineKey(line)}>
              <GroupLine
                {...common}
                {...{ group, by, base, columns, handlers, query }}
                number={line.group ?? 0}
                nameEnd={groupEnds.get(groupName(group, by))}
                isFolded={isFolded(folds, group.key, groups.length)}
              />
            </Suspense>
          );
        }
        const open = row !== undefined && isOpen(line, row);
        return (
          <TableRow
            key={slotOf[place]}
            {...common}
            row={row}
            columns={columns}
            checked={row ? selection.checkedOf(row) : 'off'}
            isOpen={open}
            hasDetail={open && layout.at(n + 1).kind === 'detail'}
            chipRoom={props.chipRoom - (isNarrow && line.kind === 'trial' ? trialInset : 0)}
            nameEnd={
              row && line.kind === 'row'
                ? nameEndOf(row, rows.pageOf(line.position), rowName)
                : undefined
            }
            p95={count >= minForSlow ? p95 : null}
            canRun={canRun}
            level={groups.length === 0 ? undefined : line.kind === 'trial' ? 3 : 2}
            handlers={handlers}
          />
        );
      })}
    </div>
  );
}

/** Reads the rows from `first` to `end` (exclusive), those around them, and the trials among `lines`. */
function useLineRows(
  query: string,
  layout: TableLayout,
  lines: readonly Line[],
  { first, end }: { readonly first: number; readonly end: number },
) {
  const { run } = useShown();
  const figures = useFigures();
  const pages = pagesOf(layout, first - around, Math.min(figures.count, end + around));
  const rows = useRows(run.run_id, query, pages);
  const rowOf = useRowsOf(
    run.run_id,
    lines.flatMap(({ index }) => index ?? []),
    fieldsOf(query),
  );
  const rowAt = ({ kind, position, index = 0 }: Line) =>
    kind === 'row' ? rows.at(position) : rowOf(index);
  return { rows, rowAt };
}

/** The pages with the rows from `first` to `end` (exclusive) that are not in folded groups. */
function pagesOf(layout: TableLayout, first: number, end: number): number[] {
  const pages: number[] = [];
  for (let page = Math.max(0, Math.floor(first / pageSize)); page * pageSize < end; page += 1) {
    const from = Math.max(first, page * pageSize);
    if (layout.hasRows(from, Math.min(end, (page + 1) * pageSize))) pages.push(page);
  }
  return pages;
}

/** The part of a query that asks for fields. */
function fieldsOf(query: string): string {
  const fields = new URLSearchParams(query).getAll('field');
  return String(new URLSearchParams(fields.map((field): [string, string] => ['field', field])));
}

/** Heights of lines in pixels; details are measured. */
const sizes = {
  wide: { row: 28, trial: 28, group: 28 },
  narrow: { row: 72, trial: 52, group: 36 },
} as const;

/** Estimated height of details before they are measured. */
const detailHeight = 96;
const headHeight = 28;

/** Virtualizes the lines of the table: the page scrolls, and the table has the height of all lines. */
function useRowWindow({
  body,
  layout,
  isNarrow,
  activeLine,
  heights,
  initialTop,
}: {
  body: RefObject<HTMLElement | null>;
  layout: TableLayout;
  isNarrow: boolean;
  /** Stays in the page when out of view, so that it keeps the focus. */
  activeLine: number;
  /** Measured heights of details, by key. */
  heights: Map<string, number>;
  initialTop: () => number;
}) {
  const { top: scrollMargin } = usePageBox(body);
  const size = isNarrow ? sizes.narrow : sizes.wide;
  const rangeExtractor = useCallback(
    (range: Range) => withActiveLine(range, activeLine),
    [activeLine],
  );
  const estimateSize = useCallback(
    (n: number) => {
      const line = layout.at(n);
      return line.kind === 'detail'
        ? (heights.get(String(lineKey(line))) ?? detailHeight)
        : size[line.kind];
    },
    [layout, size, heights],
  );
  const getItemKey = useCallback((n: number) => lineKey(layout.at(n)), [layout]);
  const virtualizer = useWindowVirtualizer({
    count: layout.count,
    estimateSize,
    getItemKey,
    rangeExtractor,
    scrollMargin,
    overscan: 6,
    scrollPaddingStart: isNarrow ? 0 : headHeight,
    initialOffset: initialTop,
    measureElement: (element) => {
      const height = element.getBoundingClientRect().height;
      const key = element.getAttribute('data-key');
      if (key !== null) heights.set(key, height);
      return height;
    },
  });
  // The virtualizer caches sizes by key: reset them when the row height changes.
  useLayoutEffect(() => {
    if (size) virtualizer.measure();
  }, [size, virtualizer]);
  return { virtualizer, scrollMargin };
}
