import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import {
  type FocusEvent,
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Pair, RunHead } from '../../api/schema.js';
import { useShortcut } from '../../app/shortcuts.js';
import { useMedia } from '../../browser/use-media.js';
import { usePageBox } from '../../browser/use-page-box.js';
import { classNames } from '../../components/class-names.js';
import { MiddleCut } from '../../components/names/middle-cut.js';
import { nameEndOf } from '../../components/names/name-ends.js';
import { gridCommand } from '../../lists/grid-keys.js';
import { useFirstLine, useKeptScroll } from '../../lists/list-scroll.js';
import { useRowFocus, withActiveLine } from '../../lists/row-focus.js';
import { ViewMemory } from '../../lists/view-memory.js';
import { letterOf } from '../letters.js';
import { type PairFigures, usePairs } from '../queries.js';
import { RunTag } from '../run-tag.js';
import styles from './pair-list.module.css';
import { PairRow } from './pair-row.js';
import type { PairLook } from './pair-side.js';
import { firstSide } from './pair-words.js';
import { PairPosition, useOpenResult } from './result-link.js';

/** The state of a list of pairs when it was left. */
interface KeptList {
  readonly active: number;
  readonly opened: ReadonlySet<string>;
  readonly measured: VirtualItem[];
  readonly scroll: number;
}

/** The state of the last list, by its query. */
const keptLists = new ViewMemory<KeptList>(1);

/** All matching pairs, side by side; virtualized. */
export function PairList({
  runs,
  figures,
  worse,
  hasDiff,
}: {
  runs: readonly RunHead[];
  figures: PairFigures;
  /** Ids of cases that are worse beyond chance on their own. */
  worse: ReadonlySet<string>;
  hasDiff: boolean;
}) {
  const runIds = runs.map(({ run_id }) => run_id);
  const { query, filtered } = figures;
  const openResult = useOpenResult();
  const grid = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const kept = keptLists.get(query);
  const [active, setActive] = useState(kept?.active ?? 0);
  const [opened, setOpened] = useState<ReadonlySet<string>>(kept?.opened ?? new Set());
  const current = Math.min(active, Math.max(0, filtered - 1));
  const { list, top, pairs, width, isStacked } = usePairWindow(
    body,
    runIds,
    figures,
    current,
    kept?.measured ?? [],
  );
  const ids = runIds.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids are the same while their text is
  const look = useMemo(
    () => ({ runIds, hasDiff, worse, width, isStacked }),
    [ids, hasDiff, worse, width, isStacked],
  );
  useKeptScroll(kept?.scroll, () =>
    keptLists.keep(query, {
      active: current,
      opened,
      measured: list.measurementsCache,
      scroll: list.scrollOffset ?? 0,
    }),
  );

  useFirstLine(query, top, () => setActive(0));

  const toggle = (position: number) => {
    const id = pairs.at(position)?.id;
    if (id === undefined) return;
    setOpened((now) => new Set(now.has(id) ? [...now].filter((one) => one !== id) : [...now, id]));
  };
  const { enter, listeners } = useRowFocus(grid, useRef<boolean | undefined>(kept && true));
  const side = useFocusedSide(current, listeners);
  const onKeyDown = useListKeys({
    grid,
    current,
    count: filtered,
    goTo: (position) => {
      setActive(position);
      list.scrollToIndex(position);
    },
    enter,
    onOpen: () => {
      const pair = pairs.at(current);
      const run = pair === undefined ? -1 : firstSide(pair);
      const row = pair?.runs[run]?.row;
      if (row) openResult(runIds[run] ?? '', row.index, current);
    },
    onToggle: () => toggle(current),
  });
  return (
    <div
      ref={grid}
      className={styles.grid}
      role="treegrid"
      aria-label="Pairs"
      aria-rowcount={filtered + 1}
      aria-colcount={runIds.length + 1}
      style={{ '--runs': runIds.length } as object}
      onKeyDown={onKeyDown}
      {...side.listeners}
    >
      <ListHead runs={runs} />
      <div
        ref={body}
        className={styles.body}
        role="rowgroup"
        style={{ height: list.getTotalSize() }}
      >
        {list.getVirtualItems().map(({ index, start, key }) => (
          <ListRow
            key={key}
            ref={list.measureElement}
            index={index}
            top={start - top}
            pair={pairs.at(index)}
            page={pairs.pageOf(index)}
            look={look}
            isCurrent={index === current}
            side={side.isHere && index === current ? (side.run ?? 'first') : undefined}
            opened={opened}
            onFocus={() => setActive(index)}
            onToggle={() => toggle(index)}
          />
        ))}
      </div>
    </div>
  );
}

function ListHead({ runs }: { runs: readonly RunHead[] }) {
  return (
    <div className={styles.head} role="row" aria-rowindex={1}>
      <span role="columnheader">Evaluation</span>
      {runs.map(({ run_id, run_name }, run) => (
        <span key={run_id} role="columnheader">
          <RunTag run={run} />
          <b>
            <MiddleCut text={run_name} />
          </b>
          <span>{run === 0 ? 'output, latency' : `against ${letterOf(0)}`}</span>
        </span>
      ))}
    </div>
  );
}

function ListRow({
  ref,
  index,
  top,
  pair,
  page,
  look,
  isCurrent,
  side,
  opened,
  onFocus,
  onToggle,
}: {
  ref: Ref<HTMLDivElement>;
  index: number;
  top: number;
  /** Absent until loaded. */
  pair: Pair | undefined;
  /** The pairs that are loaded together with it. */
  page: readonly Pair[];
  look: PairLook;
  isCurrent: boolean;
  /** The position of the run that has the focus; `first`: the one with a change. Absent without the focus. */
  side: number | 'first' | undefined;
  opened: ReadonlySet<string>;
  onFocus: () => void;
  onToggle: () => void;
}) {
  return (
    // The grid handles the keys of its rows.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      ref={ref}
      data-index={index}
      role="row"
      aria-rowindex={index + 2}
      aria-expanded={pair ? opened.has(pair.id) : undefined}
      tabIndex={isCurrent ? 0 : -1}
      className={classNames(styles.row, pair === undefined && styles.waiting)}
      style={{ transform: `translateY(${top}px)` }}
      onFocus={onFocus}
      onClick={(event) => {
        if (!isForRow(event.target)) return;
        onFocus();
        onToggle();
      }}
    >
      {pair ? (
        <PairPosition value={index}>
          <PairRow
            pair={pair}
            look={look}
            nameEnd={nameEndOf(pair, page, nameOf)}
            isOpen={opened.has(pair.id)}
            gradedRun={side === 'first' ? firstSide(pair) : side}
          />
        </PairPosition>
      ) : (
        <div role="rowheader" className="faint">
          …
        </div>
      )}
    </div>
  );
}

/** The side of the current pair that has the focus, or was clicked, for grading; `run` is absent until one was chosen. */
function useFocusedSide(
  current: number,
  { onFocus, onBlur }: ReturnType<typeof useRowFocus>['listeners'],
) {
  const [focus, setFocus] = useState<{ readonly pair: number; readonly run: number | undefined }>();
  const choose = ({ target }: { readonly target: EventTarget }) => {
    if (!(target instanceof Element)) return;
    const row = target.closest<HTMLElement>('[data-index]')?.dataset.index;
    const run = target.closest<HTMLElement>('[data-run]')?.dataset.run;
    if (row === undefined) return;
    const pair = Number(row);
    setFocus((now) => ({
      pair,
      run: run !== undefined ? Number(run) : now?.pair === pair ? now.run : undefined,
    }));
  };
  return {
    isHere: focus !== undefined,
    run: focus?.pair === current ? focus.run : undefined,
    listeners: {
      onFocus: (event: FocusEvent<HTMLElement>) => {
        onFocus();
        choose(event);
      },
      onBlur: (event: FocusEvent<HTMLElement>) => {
        onBlur(event);
        const { relatedTarget: next, currentTarget } = event;
        if (next !== null && !currentTarget.contains(next)) setFocus(undefined);
      },
      onClick: choose,
    },
  };
}

/** False for clicks on links and buttons, and for those that end a text selection. */
function isForRow(target: EventTarget): boolean {
  if (target instanceof Element && target.closest('a, button') !== null) return false;
  return getSelection()?.isCollapsed !== false;
}

const nameOf = (pair: Pair) => pair.function;

/** Estimated height of a row in pixels: two lines of output. */
const rowHeight = 68;
/** Rows to load before and after the visible ones. */
const readAhead = 60;
/** Pixels of the column of evaluations, and between columns, as in the style sheet. */
const idWidth = 250;
const gap = 24;

/** Virtualizes the pairs, with cached heights (`measured`): the visible ones, their positions, and the width of a run's column; below 900 pixels runs are below each other. */
function usePairWindow(
  body: RefObject<HTMLElement | null>,
  runIds: readonly string[],
  { query, filtered }: PairFigures,
  current: number,
  measured: VirtualItem[],
) {
  const { top, width: page } = usePageBox(body);
  const isStacked = useMedia('(max-width: 900px)');
  const gutter = useMedia('(max-width: 640px)') ? 12 : 16;
  const list = useWindowVirtualizer({
    count: filtered,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: top,
    scrollPaddingStart: 28,
    initialMeasurementsCache: measured,
    rangeExtractor: (range) => withActiveLine(range, current),
  });
  const { startIndex, endIndex } = list.range ?? { startIndex: 0, endIndex: 30 };
  const pairs = usePairs(
    runIds,
    query,
    Math.max(0, startIndex - readAhead),
    Math.min(filtered, endIndex + readAhead),
  );
  const inner = page - 2 * gutter;
  const columns = inner - Math.min(idWidth, page * 0.2) - gap * runIds.length;
  const width = Math.round(isStacked ? inner - 26 : columns / runIds.length);
  return { list, top, pairs, width, isStacked };
}

/** Rows that Page Up and Page Down move by. */
const pageRows = 8;

/** Moves between pairs with the keys of the table; left and right move through the links of a row. */
function useListKeys({
  grid,
  current,
  count,
  goTo,
  enter,
  onOpen,
  onToggle,
}: {
  grid: RefObject<HTMLDivElement | null>;
  current: number;
  count: number;
  goTo: (position: number) => void;
  /** Moves the focus to the current row. */
  enter: () => void;
  onOpen: () => void;
  onToggle: () => void;
}) {
  const go = (position: number) => {
    if (count === 0) return;
    goTo(Math.max(0, Math.min(count - 1, position)));
    enter();
  };
  useShortcut('walk', ({ key }) => {
    const isHere = grid.current?.contains(document.activeElement) === true;
    const step = key === 'j' || key === 'ArrowDown' ? 1 : -1;
    // If the focus is elsewhere, the first key only moves to the current row.
    go(isHere ? current + step : current);
  });

  return (event: KeyboardEvent<HTMLDivElement>) => {
    const { target } = event;
    // Shift and Ctrl select rows in the table; pairs cannot be selected.
    if (event.shiftKey || event.ctrlKey || event.metaKey || !(target instanceof HTMLElement))
      return;
    const isRow = target.getAttribute('role') === 'row';
    const command = gridCommand(event, pageRows);
    if (command?.type === 'move') go(current + command.by);
    else if (command?.type === 'first') go(0);
    else if (command?.type === 'last') go(count - 1);
    else if (command?.type === 'expand') moveInRow(target, 1);
    else if (command?.type === 'close') moveInRow(target, -1);
    else if (command?.type === 'open' && isRow) onOpen();
    else if (command?.type === 'toggle' && isRow) onToggle();
    else return;
    event.preventDefault();
  };
}

/** Through the links of a row, and back to the row. */
function moveInRow(target: HTMLElement, step: 1 | -1): void {
  const row = target.closest<HTMLElement>('[role=row]');
  if (row === null) return;
  const stops = [row, ...row.querySelectorAll<HTMLElement>('a, button')];
  stops[stops.indexOf(target) + step]?.focus();
}
