import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { StoredCalls } from '../../../../src/model/calls/stored-calls.js';
import { useMedia, useNarrow } from '../../browser/use-media.js';
import { usePageBox } from '../../browser/use-page-box.js';
import { classNames } from '../../components/class-names.js';
import { tellingEnds } from '../../components/names/telling-end.js';
import { gridCommand } from '../../lists/grid-keys.js';
import { useRowFocus, withActiveLine } from '../../lists/row-focus.js';
import { CallDetails, SpanDetails } from './call-details.js';
import styles from './calls.module.css';
import { TimelineHead, TimelineLine } from './timeline-line.js';
import {
  axisOf,
  foldsOf,
  hasModelCalls,
  shownRows,
  slowestOf,
  sortedRows,
  type TimelineFold,
  type TimelineOrder,
  type TimelineRow,
  timelineRows,
  type Used,
} from './timeline-rows.js';

/** Pixels of a line, wide and narrow, as in the style sheet. */
const rowHeight = { wide: 24, narrow: 46 };

/** Calls on the time of their attempt, one of which can be opened; virtualized. */
export function Timeline({
  stored,
  usage,
  origin,
  order,
}: { stored: StoredCalls; order: TimelineOrder } & Used) {
  const isNarrow = useNarrow();
  const isSmall = useMedia('(max-width: 900px)');
  const rows = useMemo(() => {
    const all = timelineRows(stored, { usage, origin });
    return order === 'start' ? all : sortedRows(all, order);
  }, [stored, usage, origin, order]);
  const slowest = useMemo(() => slowestOf(rows), [rows]);
  const axis = useMemo(() => axisOf(stored, isSmall ? 4 : 6), [stored, isSmall]);
  // Sorted, nothing is under another.
  const folds = useMemo(() => foldsOf(order === 'start' ? rows : []), [rows, order]);
  const ends = useMemo(() => tellingEnds(rows.map(({ name }) => name)), [rows]);
  const hasTokens = hasModelCalls(stored);
  // Lines are known by their place among all, also while some are folded.
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const shown = useMemo(() => shownRows(rows.length, folds, unfolded), [rows, folds, unfolded]);
  const [named] = useState(() => namedCall(rows));
  const [active, setActive] = useState(named ?? 0);
  const [opened, setOpened] = useState<number | undefined>(named);
  const grid = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const { top } = usePageBox(body);
  const current = Math.max(
    0,
    shown.findLastIndex((at) => at <= active),
  );
  const list = useWindowVirtualizer({
    count: shown.length,
    estimateSize: () => (isNarrow ? rowHeight.narrow : rowHeight.wide),
    overscan: 30,
    scrollMargin: top,
    scrollPaddingStart: 40,
    getItemKey: (index) => shown[index] ?? index,
    // Keep the focused row in the page, wherever the page is scrolled to.
    rangeExtractor: (range) => withActiveLine(range, current),
  });
  const { listeners } = useRowFocus(grid, useRef(named !== undefined));
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once
  useEffect(() => {
    if (named !== undefined) list.scrollToIndex(shown.indexOf(named), { align: 'center' });
  }, []);
  const toggle = (at: number, isOpen = opened !== at) => {
    if (rows[at]?.kind === 'group') return;
    setOpened(isOpen ? at : undefined);
  };
  const unfold = (at: number, isUnfolded = !unfolded.has(at)) => {
    setUnfolded(isUnfolded ? new Set([...unfolded, at]) : without(unfolded, at));
    setActive(at);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isOnRow = (event.target as Element).getAttribute('role') === 'row';
    if (event.key === 'Escape' && opened !== undefined) {
      event.preventDefault();
      setActive(opened);
      setOpened(undefined);
      grid.current?.querySelector<HTMLElement>('[role=row][tabindex="0"]')?.focus();
      return;
    }
    // Letters belong to the page; an opened call has keys of its own.
    if (!isOnRow || /^[a-z]$/i.test(event.key)) return;
    const command = gridCommand(event, 15);
    const last = shown.length - 1;
    const at = shown[current] ?? 0;
    const go = (position: number) => {
      const next = Math.max(0, Math.min(last, position));
      setActive(shown[next] ?? 0);
      list.scrollToIndex(next);
    };
    switch (command?.type) {
      case 'move':
        go(current + command.by);
        break;
      case 'first':
        go(0);
        break;
      case 'last':
        go(last);
        break;
      case 'open':
      case 'toggle':
        toggle(at);
        break;
      case 'expand':
        if (folds.has(at) && !unfolded.has(at)) unfold(at, true);
        else toggle(at, true);
        break;
      case 'close':
        if (opened === at) toggle(at, false);
        else if (unfolded.has(at)) unfold(at, false);
        else go(shown.indexOf(parentOf(rows, folds, at)));
        break;
      default:
        return;
    }
    event.preventDefault();
  };
  return (
    <div
      ref={grid}
      className={classNames(
        styles.timeline,
        folds.size > 0 && styles.hasFolds,
        !hasTokens && styles.noTokens,
      )}
      role="treegrid"
      aria-label="Calls of this attempt"
      aria-rowcount={shown.length + 1}
      aria-colcount={hasTokens ? 6 : 3}
      style={{ '--step': `${(100 * (axis.ticks[1] ?? axis.end)) / axis.end}%` } as object}
      onKeyDown={onKeyDown}
      {...listeners}
    >
      <TimelineHead axis={axis} hasTokens={hasTokens} />
      <div ref={body} className={styles.body} style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start, key }) => {
          const at = shown[index] ?? 0;
          const row = rows[at];
          return (
            row && (
              <div
                key={key}
                ref={list.measureElement}
                role="rowgroup"
                className={styles.item}
                data-index={index}
                style={{ transform: `translateY(${start - top}px)` }}
              >
                <TimelineLine
                  row={row}
                  axis={axis}
                  position={index + 2}
                  fold={folds.get(at)}
                  isUnfolded={unfolded.has(at)}
                  hasTokens={hasTokens}
                  isSlowest={row === slowest}
                  from={origin?.run_name}
                  ends={ends}
                  isCurrent={index === current}
                  isOpen={at === opened}
                  onFocus={() => setActive(at)}
                  onToggle={() => toggle(at)}
                  onUnfold={() => unfold(at)}
                />
                {at === opened && row.kind !== 'group' && (
                  <div role="row" className={styles.openRow}>
                    <div
                      role="gridcell"
                      aria-colspan={hasTokens ? 6 : 3}
                      className={styles.openCell}
                    >
                      {row.kind === 'call' ? (
                        <CallDetails stored={stored} call={row.call} />
                      ) : (
                        <SpanDetails span={row.span} />
                      )}
                    </div>
                  </div>
                )}
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}

/** The line of the call that the address names: `#call-3`. */
function namedCall(rows: readonly TimelineRow[]): number | undefined {
  const number = Number(/^#call-(\d+)$/.exec(location.hash)?.[1]);
  const at = rows.findIndex((row) => row.kind === 'call' && row.call.number === number);
  return at === -1 ? undefined : at;
}

function without(set: ReadonlySet<number>, one: number): ReadonlySet<number> {
  return new Set([...set].filter((other) => other !== one));
}

/** The line that this one is folded under, or of those whose call it is. */
function parentOf(
  rows: readonly TimelineRow[],
  folds: ReadonlyMap<number, TimelineFold>,
  at: number,
): number {
  for (const [owner, { to }] of folds) if (owner < at && at <= to) return owner;
  const level = rows[at]?.level ?? 1;
  const above = rows.slice(0, at).findLastIndex((row) => row.level < level);
  return above === -1 ? at : above;
}
