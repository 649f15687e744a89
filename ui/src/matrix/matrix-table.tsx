import { type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  memo,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useLocation } from 'wouter';
import type { MatrixPage } from '../api/schema.js';
import { useShortcut } from '../app/shortcuts.js';
import { useNarrow } from '../browser/use-media.js';
import { usePageBox } from '../browser/use-page-box.js';
import { classNames } from '../components/class-names.js';
import { count } from '../components/figures/figures.js';
import { Icon } from '../components/icons/icon.js';
import { nameParts } from '../components/names/evaluation-name.js';
import { MiddleCut } from '../components/names/middle-cut.js';
import { lineKey, TableLayout } from '../dashboard/table/scrolling/table-layout.js';
import { gridCommand } from '../lists/grid-keys.js';
import { useRowFocus, withActiveLine } from '../lists/row-focus.js';
import { useOnUnmount, ViewMemory } from '../lists/view-memory.js';
import { CellContent, cellStanding, DatasetFigure, failedShare } from './cells.js';
import { MatrixHead, type MatrixHeadProps } from './matrix-head.js';
import styles from './matrix-table.module.css';
import { type MatrixCase, type MatrixFigures, useCases } from './queries.js';
import { useMatrixView } from './use-matrix-view.js';
import { renderMatrixView } from './view-state.js';

type Dataset = MatrixPage['datasets'][number];

/** The line and the run that are looked at. */
export interface MatrixPlace {
  readonly line: number;
  readonly run: number;
}

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
  const { list, top } = useMatrixWindow(body, layout, current.line, isNarrow, kept?.scroll);
  const items = list.getVirtualItems();
  const lines = items.map(({ index }) => layout.at(index));
  const caseAt = useCases(
    figures.askedFor,
    query,
    lines.flatMap(({ kind, position }) => (kind === 'row' ? [position] : [])),
  );
  useOnUnmount(() =>
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
      else openResult(activeCase, current.run);
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

const cellId = ({ line, run }: MatrixPlace) => `cell-${line}-${run}`;

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

interface LineProps {
  readonly line: number;
  readonly top: number;
  /** The run whose cell is looked at; absent in other lines. */
  readonly run: number | undefined;
  readonly show: string;
  /** A click in the column of a run, or in the first one. */
  readonly onPick: (line: number, run: number | undefined) => void;
}

/** The run in whose column a target is; `undefined` for the first column. */
function runOf(target: EventTarget): number | undefined {
  const cell = target instanceof Element ? target.closest('[role=gridcell]') : null;
  const at = cell === null ? -1 : [...(cell.parentElement?.children ?? [])].indexOf(cell);
  return at < 1 ? undefined : at - 1;
}

const DatasetLine = memo(function DatasetLine({
  line,
  top,
  run: current,
  show,
  dataset: { dataset, cases, runs },
  isFolded,
  onPick,
}: LineProps & { dataset: Dataset; isFolded: boolean }) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the focus, and takes the keys.
    <div
      role="row"
      aria-rowindex={line + 2}
      aria-level={1}
      aria-expanded={!isFolded}
      className={classNames(styles.line, styles.dataset)}
      style={{ transform: `translateY(${top}px)` }}
      onClick={(event) => onPick(line, runOf(event.target))}
    >
      <span role="rowheader" className={styles.name}>
        <Icon name={isFolded ? 'right' : 'down'} />
        <b className="cut">{dataset}</b>
        <span className="faint">{count(cases)}</span>
      </span>
      {runs.map((figures, run) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is the run
          key={run}
          id={cellId({ line, run })}
          role="gridcell"
          tabIndex={run === current ? 0 : -1}
          aria-selected={run === current}
          className={styles.cell}
        >
          <DatasetFigure figures={figures} show={show} />
        </span>
      ))}
    </div>
  );
});

const CaseLine = memo(function CaseLine({
  line,
  top,
  run: current,
  show,
  of,
  runs,
  onPick,
  isStacked,
}: LineProps & { of: MatrixCase | undefined; runs: number; isStacked: boolean }) {
  const [evaluation, testCase] = nameParts(of?.function ?? '…');
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      role="row"
      aria-rowindex={line + 2}
      aria-level={2}
      className={classNames(styles.line, current !== undefined && styles.current)}
      style={{ transform: `translateY(${top}px)` }}
      onClick={(event) => onPick(line, runOf(event.target))}
    >
      <span role="rowheader" className={styles.name} title={of?.id}>
        <span className={styles.case}>
          {isStacked ? (
            <>
              <MiddleCut text={evaluation} />
              {testCase !== '' && <MiddleCut text="" rest={testCase} />}
            </>
          ) : (
            <MiddleCut text={evaluation} rest={testCase} />
          )}
        </span>
      </span>
      {Array.from({ length: runs }, (_, run) => {
        const cell = of?.cells[run];
        const failed = cell ? failedShare(cell, show) : undefined;
        return (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is the run
            key={run}
            id={cellId({ line, run })}
            role="gridcell"
            tabIndex={run === current ? 0 : -1}
            aria-selected={run === current}
            className={classNames(
              styles.cell,
              cell && show === 'verdict' && cellStanding(cell) === 'error' && styles.error,
            )}
            style={failed ? ({ '--failed': `${Math.round(failed * 100)}%` } as object) : undefined}
          >
            {cell !== undefined && <CellContent cell={cell} show={show} />}
          </span>
        );
      })}
    </div>
  );
});

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
  scroll: number | undefined,
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
    initialOffset: scroll ?? 0,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights depend on both
  useEffect(() => list.measure(), [layout, size, list]);
  const first = useRef(scroll);
  useEffect(() => {
    if (first.current !== undefined) window.scrollTo(0, first.current);
  }, []);
  return { list, top };
}

/** Goes to the first line when there is a new query. */
function useFirstLine(query: string, top: number, goToFirst: () => void): void {
  const shown = useRef(query);
  useEffect(() => {
    if (shown.current === query) return;
    shown.current = query;
    goToFirst();
    if (window.scrollY > top) window.scrollTo(0, top);
  });
}

/** Opens the result of a case in a run, with a way back to this matrix. */
export function useOpenResult(): (of: MatrixCase | undefined, run: number) => void {
  const [view] = useMatrixView();
  const [, navigate] = useLocation();
  return (of, run) => {
    const cell = of?.cells[run];
    const id = view.runs[run];
    if (!cell || id === undefined) return;
    navigate(`/runs/${encodeURIComponent(id)}/results/${cell.index}`, {
      state: { comparison: `/matrix${renderMatrixView(view)}`, position: 0 },
    });
  };
}

/** Moves the cell that is looked at. */
function useMatrixKeys({
  page,
  lines,
  runs,
  current,
  goTo,
  onEnter,
  onClose,
}: {
  /** Lines that Page Up and Page Down move by. */
  page: number;
  lines: number;
  runs: number;
  current: MatrixPlace;
  goTo: (place: MatrixPlace) => void;
  onEnter: () => void;
  /** Absent if there is nothing to close. */
  onClose: (() => void) | undefined;
}) {
  const [, setView] = useMatrixView();
  const go = (line: number, run: number) =>
    goTo({
      line: Math.max(0, Math.min(lines - 1, line)),
      run: Math.max(0, Math.min(runs - 1, run)),
    });
  // If the focus is elsewhere, the first key only moves it to the table.
  useShortcut('walk', () => go(current.line, current.run));
  const onKey = (event: KeyboardEvent<HTMLDivElement>): boolean => {
    const { key } = event;
    const command = gridCommand(event, page);
    if (command?.type === 'move') go(current.line + command.by, current.run);
    else if (command?.type === 'first') go(0, current.run);
    else if (command?.type === 'last') go(lines - 1, current.run);
    else if (key === 'ArrowRight' || key === 'l') go(current.line, current.run + 1);
    else if (key === 'ArrowLeft' || key === 'h') go(current.line, current.run - 1);
    else if (command?.type === 'open' || command?.type === 'toggle') onEnter();
    else if (key === 'b')
      setView(({ runs: ids, ...view }) => ({ ...view, runs: baseFirst(ids, current.run) }));
    else if (key === 'Escape' && onClose) onClose();
    else return false;
    return true;
  };
  return (event: KeyboardEvent<HTMLDivElement>) => {
    // Buttons in the heads have keys of their own.
    if (!(event.target instanceof Element) || !event.target.matches('[role=gridcell]')) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (onKey(event)) event.preventDefault();
  };
}

/** The ids with one of them first. */
function baseFirst(ids: readonly string[], base: number): readonly string[] {
  return [...ids.slice(base, base + 1), ...ids.filter((_, at) => at !== base)];
}
