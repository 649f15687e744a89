import { type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useNarrow } from '../browser/use-media.js';
import { usePageBox } from '../browser/use-page-box.js';
import { useOpenResult } from '../compare/pairs/result-link.js';
import { lineKey, TableLayout } from '../dashboard/table/scrolling/table-layout.js';
import { useFirstLine, useKeptScroll } from '../lists/list-scroll.js';
import { useRowFocus, withActiveLine } from '../lists/row-focus.js';
import { ViewMemory } from '../lists/view-memory.js';
import { MatrixHead, type MatrixHeadProps } from './matrix-head.js';
import { type MatrixPlace, useMatrixKeys } from './matrix-keys.js';
import { CaseLine, DatasetLine } from './matrix-lines.js';
import styles from './matrix-table.module.css';
import { type MatrixCase, type MatrixFigures, useCases } from './queries.js';
import { useMatrixView } from './use-matrix-view.js';

/** The state of a table when it was left. */
interface KeptTable {
  readonly place: MatrixPlace;
  readonly folded: ReadonlySet<string>;
  readonly scroll: number;
}

/** The state of the last table, by its query. */
const keptTables = new ViewMemory<KeptTable>(1);

export interface MatrixTableProps {
  readonly figures: MatrixFigures;
  readonly head: Omit<MatrixHeadProps, 'current' | 'isNarrow'>;
  readonly place: MatrixPlace;
  readonly setPlace: (place: MatrixPlace) => void;
  /** The case that is looked at, or none for the line of a dataset. */
  readonly onCase: (found: MatrixCase | undefined) => void;
  readonly isPanelOpen: boolean;
  readonly setPanelOpen: (open: boolean) => void;
}

/** Where the table of a query was left; else its first cell. */
export function firstPlace(query: string): MatrixPlace {
  return keptTables.get(query)?.place ?? { line: 0, run: 0 };
}

/** The cases of all runs in groups by dataset; virtualized. The keys move one cell. */
export function MatrixTable(props: MatrixTableProps) {
  const { figures, head, place, setPlace } = props;
  const { query, datasets, runs } = figures;
  const [view] = useMatrixView();
  const isNarrow = useNarrow();
  const grid = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const heads = useRef<HTMLDivElement>(null);
  const [kept] = useState(() => keptTables.get(query));
  const [folded, setFolded] = useState<ReadonlySet<string>>(kept?.folded ?? new Set());
  const layout = useMemo(() => {
    const groups = datasets.map(({ dataset, cases }) => ({
      rows: cases,
      isFolded: folded.has(dataset),
    }));
    return new TableLayout(figures.filtered, [], groups);
  }, [datasets, figures.filtered, folded]);
  const current = {
    line: Math.min(place.line, Math.max(0, layout.count - 1)),
    run: Math.min(place.run, runs.length - 1),
  };
  const { list, top } = useMatrixWindow(body, layout, current.line, isNarrow);
  const items = list.getVirtualItems();
  const lines = items.map(({ index }) => layout.at(index));
  const caseAt = useCases(
    figures.askedFor,
    query,
    lines.flatMap(({ kind, position }) => (kind === 'row' ? [position] : [])),
  );
  useKeptScroll(kept?.scroll, () =>
    keptTables.keep(query, { place: current, folded, scroll: list.scrollOffset ?? 0 }),
  );
  useFirstLine(query, top, () => setPlace({ line: 0, run: current.run }));

  const active = layout.count === 0 ? undefined : layout.at(current.line);
  const activeCase = active?.kind === 'row' ? caseAt(active.position) : undefined;
  const { onCase } = props;
  useEffect(() => onCase(activeCase), [activeCase, onCase]);

  const toggle = (dataset: string) =>
    setFolded((now) => {
      const next = new Set(now);
      if (!next.delete(dataset)) next.add(dataset);
      return next;
    });
  const openResult = useOpenResult();
  const { enter, listeners } = useRowFocus(
    grid,
    useRef<boolean | undefined>(kept && true),
    'gridcell',
  );
  const onKeyDown = useMatrixKeys({
    page: Math.max(1, items.length - 14),
    lines: layout.count,
    runs: runs.length,
    current,
    goTo: (next) => {
      setPlace(next);
      enter();
      list.scrollToIndex(next.line);
      if (next.run !== current.run) reveal(body.current, next.run);
    },
    onEnter: () => {
      if (active?.group !== undefined) toggle(datasets[active.group]?.dataset ?? '');
      else if (!props.isPanelOpen) props.setPanelOpen(true);
      else {
        const cell = activeCase?.cells[current.run];
        if (cell) openResult(view.runs[current.run] ?? '', cell.index, 0);
      }
    },
    onClose: props.isPanelOpen ? () => props.setPanelOpen(false) : undefined,
  });
  const onPick = useLatest((line: number, run: number | undefined) => {
    setPlace({ line, run: run ?? current.run });
    enter();
    const { group } = layout.at(line);
    if (group === undefined) props.setPanelOpen(true);
    else toggle(datasets[group]?.dataset ?? '');
  });
  const columns = isNarrow
    ? `132px repeat(${runs.length}, 56px)`
    : `240px repeat(${runs.length}, minmax(100px, 1fr))`;
  const least = isNarrow ? 132 + 56 * runs.length : 240 + 100 * runs.length;
  return (
    // The keys are those of a grid.
    <div
      ref={grid}
      role="treegrid"
      aria-label="Results by evaluation and run"
      aria-rowcount={layout.count + 1}
      aria-colcount={runs.length + 1}
      className={styles.grid}
      style={{ '--columns': columns, '--least': `${least}px` } as object}
      onKeyDown={onKeyDown}
      {...listeners}
    >
      <div
        ref={heads}
        role="rowgroup"
        className={styles.heads}
        onScroll={() => follow(heads.current, body.current)}
      >
        <MatrixHead {...head} current={props.isPanelOpen ? current.run : -1} isNarrow={isNarrow} />
      </div>
      <div
        ref={body}
        role="rowgroup"
        className={styles.body}
        onScroll={() => follow(body.current, heads.current)}
      >
        <div className={styles.lines} style={{ height: list.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const line = layout.at(index);
            const dataset = line.group === undefined ? undefined : datasets[line.group];
            const common = {
              line: index,
              top: start - top,
              run: index === current.line ? current.run : undefined,
              show: view.show,
            };
            return dataset ? (
              <DatasetLine
                key={lineKey(line)}
                {...common}
                dataset={dataset}
                isFolded={folded.has(dataset.dataset)}
                onPick={onPick}
              />
            ) : (
              <CaseLine
                key={lineKey(line)}
                {...common}
                of={caseAt(line.position)}
                runs={runs.length}
                isStacked={isNarrow}
                onPick={onPick}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Scrolls one part of the table sideways like the other. */
function follow(from: HTMLElement | null, to: HTMLElement | null): void {
  if (from !== null && to !== null && to.scrollLeft !== from.scrollLeft) {
    to.scrollLeft = from.scrollLeft;
  }
}

/** Scrolls a column into sight, beside the fixed first one. */
function reveal(body: HTMLElement | null, run: number): void {
  const first = body?.querySelector<HTMLElement>('[role=rowheader]');
  const cell = first?.parentElement?.children[run + 1];
  if (!body || !first || !(cell instanceof HTMLElement)) return;
  const left = cell.offsetLeft - first.offsetWidth;
  const right = cell.offsetLeft + cell.offsetWidth - body.clientWidth;
  body.scrollLeft = Math.max(right, Math.min(left, body.scrollLeft));
}

/** A function that stays the same, and does what the latest one does: lines are not rendered again for a new one. */
function useLatest<Args extends readonly unknown[]>(act: (...args: Args) => void) {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...args: Args) => latest.current(...args), []);
}

/** Heights of lines in pixels. */
const heights = { wide: { row: 28, group: 28 }, narrow: { row: 38, group: 28 } } as const;

/** Virtualizes the lines: the page scrolls, and the table has the height of all lines. */
function useMatrixWindow(
  body: RefObject<HTMLElement | null>,
  layout: TableLayout,
  activeLine: number,
  isNarrow: boolean,
) {
  const { top } = usePageBox(body);
  const size = isNarrow ? heights.narrow : heights.wide;
  const list = useWindowVirtualizer({
    count: layout.count,
    estimateSize: (n) => (layout.at(n).kind === 'group' ? size.group : size.row),
    getItemKey: useCallback((n: number) => lineKey(layout.at(n)), [layout]),
    rangeExtractor: useCallback((range: Range) => withActiveLine(range, activeLine), [activeLine]),
    overscan: 8,
    scrollMargin: top,
    scrollPaddingStart: isNarrow ? 84 : 154,
    scrollPaddingEnd: isNarrow ? 70 : 8,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights depend on both
  useEffect(() => list.measure(), [layout, size, list]);
  return { list, top };
}
