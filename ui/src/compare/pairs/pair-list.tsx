import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { classNames } from '../../components/class-names.js';
import { useRowFocus } from '../../components/row-focus.js';
import type { RunHead } from '../comparison.js';
import { letterOf } from '../letters.js';
import { type PairFigures, usePairs } from '../queries.js';
import { RunTag } from '../run-tag.js';
import { useListKeys } from './list-keys.js';
import { recall, useRemembered } from './list-memory.js';
import styles from './pair-list.module.css';
import { PairRow } from './pair-row.js';
import { firstSide } from './pair-words.js';
import { PairPosition, useOpenResult } from './result-link.js';
import { useLayout } from './use-layout.js';

/** Pixels of a row that was not measured yet: two lines of output. */
const guess = 68;
/** Rows on either side of those in sight that are read ahead. */
const ahead = 60;

/** All pairs that match, side by side; only those near are in the page. */
export function PairList({
  runs,
  figures,
  worse,
  hasDiff,
}: {
  runs: readonly RunHead[];
  figures: PairFigures;
  /** Ids of evaluations that are worse beyond chance by themselves. */
  worse: ReadonlySet<string>;
  hasDiff: boolean;
}) {
  const runIds = runs.map(({ run_id }) => run_id);
  const { query, filtered } = figures;
  const openResult = useOpenResult();
  const grid = useRef<HTMLDivElement>(null);
  const { top, width } = useLayout(grid, runIds.length);
  const before = recall(query);
  const [active, setActive] = useState(before?.active ?? 0);
  const [opened, setOpened] = useState<ReadonlySet<string>>(before?.opened ?? new Set());
  const current = Math.min(active, Math.max(0, filtered - 1));
  const list = useWindowVirtualizer({
    count: filtered,
    estimateSize: () => guess,
    overscan: 8,
    scrollMargin: top,
    scrollPaddingStart: 28,
    initialMeasurementsCache: before?.measured ?? [],
    // The row with the focus stays in the page wherever it is scrolled to.
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const from = Math.max(0, startIndex - overscan);
      const to = Math.min(count - 1, endIndex + overscan);
      const near = Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => from + n);
      if (current < from && count > 0) return [current, ...near];
      return current > to && current < count ? [...near, current] : near;
    },
  });
  const range = list.range ?? { startIndex: 0, endIndex: 30 };
  const pairAt = usePairs(
    runIds,
    query,
    Math.max(0, range.startIndex - ahead),
    Math.min(filtered, range.endIndex + ahead),
  );
  useRemembered(query, { active: current, opened, measured: () => list.measurementsCache });

  // Other pairs begin at their beginning.
  const shown = useRef(query);
  useEffect(() => {
    if (shown.current === query) return;
    shown.current = query;
    setActive(0);
    if (window.scrollY > top) window.scrollTo(0, top);
  }, [query, top]);

  const toggle = (position: number) => {
    const id = pairAt(position)?.id;
    if (id === undefined) return;
    setOpened((now) => new Set(now.has(id) ? [...now].filter((one) => one !== id) : [...now, id]));
  };
  // Who comes back goes on where it was left.
  const { enter, listeners } = useRowFocus(grid, useRef(before !== undefined));
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
      const pair = pairAt(current);
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
      {...listeners}
    >
      <div className={styles.head} role="row" aria-rowindex={1}>
        <span role="columnheader">Evaluation</span>
        {runs.map(({ run_id, run_name }, run) => (
          <span key={run_id} role="columnheader">
            <RunTag run={run} />
            <b className="cut">{run_name}</b>
            <span>{run === 0 ? 'output, latency' : `against ${letterOf(0)}`}</span>
          </span>
        ))}
      </div>
      <div className={styles.body} role="rowgroup" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start, key }) => {
          const pair = pairAt(index);
          return (
            // The keys of its rows are heard by the grid.
            // biome-ignore lint/a11y/useKeyWithClickEvents: see above
            <div
              key={key}
              ref={list.measureElement}
              data-index={index}
              role="row"
              aria-rowindex={index + 2}
              aria-expanded={pair ? opened.has(pair.id) : undefined}
              tabIndex={index === current ? 0 : -1}
              className={classNames(styles.row, pair === undefined && styles.waiting)}
              style={{ transform: `translateY(${start - top}px)` }}
              onFocus={() => setActive(index)}
              onClick={(event) => {
                if (!isForRow(event.target)) return;
                setActive(index);
                toggle(index);
              }}
            >
              {pair ? (
                <PairPosition value={index}>
                  <PairRow
                    pair={pair}
                    runIds={runIds}
                    hasDiff={hasDiff}
                    isOpen={opened.has(pair.id)}
                    width={width}
                    worse={worse.has(pair.id)}
                  />
                </PairPosition>
              ) : (
                <div role="rowheader" className="faint">
                  …
                </div>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** A click on a link or a button, or one that ends a selection of text, is not for the row. */
function isForRow(target: EventTarget): boolean {
  if (target instanceof Element && target.closest('a, button') !== null) return false;
  return getSelection()?.isCollapsed !== false;
}
