import type { VirtualItem } from '@tanstack/react-virtual';
import { type Ref, useEffect, useRef, useState } from 'react';
import type { Pair, RunHead } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import { MiddleCut } from '../../components/names/middle-cut.js';
import { nameEndOf } from '../../components/names/name-ends.js';
import { useRowFocus } from '../../lists/row-focus.js';
import { useOnUnmount, ViewMemory } from '../../lists/view-memory.js';
import { letterOf } from '../letters.js';
import type { PairFigures } from '../queries.js';
import { RunTag } from '../run-tag.js';
import { useListKeys } from './list-keys.js';
import styles from './pair-list.module.css';
import { PairRow } from './pair-row.js';
import { firstSide } from './pair-words.js';
import { PairPosition, useOpenResult } from './result-link.js';
import { usePairWindow } from './use-pair-window.js';

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
  const { list, top, pairs, columnWidth, isStacked } = usePairWindow({
    body,
    runIds,
    figures,
    current,
    measured: kept?.measured ?? [],
  });
  useKeptScroll(kept?.scroll, () =>
    keptLists.keep(query, {
      active: current,
      opened,
      measured: list.measurementsCache,
      scroll: list.scrollOffset ?? 0,
    }),
  );

  // A new query starts at its first pair.
  const shown = useRef(query);
  useEffect(() => {
    if (shown.current === query) return;
    shown.current = query;
    setActive(0);
    if (window.scrollY > top) window.scrollTo(0, top);
  }, [query, top]);

  const toggle = (position: number) => {
    const id = pairs.at(position)?.id;
    if (id === undefined) return;
    setOpened((now) => new Set(now.has(id) ? [...now].filter((one) => one !== id) : [...now, id]));
  };
  const { enter, listeners } = useRowFocus(grid, useRef<boolean | undefined>(kept && true));
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
      {...listeners}
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
            runIds={runIds}
            hasDiff={hasDiff}
            isCurrent={index === current}
            opened={opened}
            worse={worse}
            width={columnWidth}
            isStacked={isStacked}
            onFocus={() => setActive(index)}
            onToggle={() => toggle(index)}
          />
        ))}
      </div>
    </div>
  );
}

/** Restores the scroll position, and calls `keep` on unmount. */
function useKeptScroll(scroll: number | undefined, keep: () => void): void {
  const first = useRef(scroll);
  useEffect(() => {
    if (first.current !== undefined) window.scrollTo(0, first.current);
  }, []);
  useOnUnmount(keep);
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
  isCurrent,
  opened,
  worse,
  onFocus,
  onToggle,
  ...shown
}: {
  ref: Ref<HTMLDivElement>;
  index: number;
  top: number;
  /** Absent until loaded. */
  pair: Pair | undefined;
  /** The pairs that are loaded together with it. */
  page: readonly Pair[];
  isCurrent: boolean;
  opened: ReadonlySet<string>;
  worse: ReadonlySet<string>;
  onFocus: () => void;
  onToggle: () => void;
  runIds: readonly string[];
  hasDiff: boolean;
  width: number;
  isStacked: boolean;
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
            {...shown}
            pair={pair}
            nameEnd={nameEndOf(pair, page, nameOf)}
            isOpen={opened.has(pair.id)}
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
}

/** False for clicks on links and buttons, and for those that end a text selection. */
function isForRow(target: EventTarget): boolean {
  if (target instanceof Element && target.closest('a, button') !== null) return false;
  return getSelection()?.isCollapsed !== false;
}

const nameOf = (pair: Pair) => pair.function;
