import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import type { StoredCalls } from '../../../../src/model/calls/stored-calls.js';
import type { Usage } from '../../api/schema.js';
import { useMedia, useNarrow } from '../../browser/use-media.js';
import { usePageBox } from '../../browser/use-page-box.js';
import { gridCommand } from '../../lists/grid-keys.js';
import { useRowFocus } from '../../lists/row-focus.js';
import { CallDetails } from './call-details.js';
import styles from './calls.module.css';
import { SpanDetails } from './span-details.js';
import { TimelineHead, TimelineLine } from './timeline-line.js';
import { axisOf, type TimelineRow, timelineRows } from './timeline-rows.js';

/** Pixels of a line, wide and narrow, as in the style sheet. */
const rowHeight = { wide: 24, narrow: 46 };

/** Calls on the time of their attempt, one of which can be opened; virtualized. */
export function Timeline({ stored, usage }: { stored: StoredCalls; usage: Usage | undefined }) {
  const isNarrow = useNarrow();
  const isSmall = useMedia('(max-width: 900px)');
  const rows = useMemo(() => timelineRows(stored, usage), [stored, usage]);
  const axis = useMemo(() => axisOf(stored, isSmall ? 4 : 6), [stored, isSmall]);
  const [active, setActive] = useState(0);
  const [opened, setOpened] = useState<number>();
  const grid = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const { top } = usePageBox(body);
  const current = Math.min(active, rows.length - 1);
  const list = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => (isNarrow ? rowHeight.narrow : rowHeight.wide),
    overscan: 30,
    scrollMargin: top,
    scrollPaddingStart: 40,
    getItemKey: (index) => keyOf(rows[index], index),
    // Keep the focused row in the page, wherever the page is scrolled to.
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const from = Math.max(0, startIndex - overscan);
      const to = Math.min(count - 1, endIndex + overscan);
      const near = Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => from + n);
      if (current < from && count > 0) return [current, ...near];
      return current > to && current < count ? [...near, current] : near;
    },
  });
  const { listeners } = useRowFocus(grid, useRef(false));
  const toggle = (index: number, isOpen = opened !== index) => {
    if (rows[index]?.kind === 'group') return;
    setOpened(isOpen ? index : undefined);
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
    const last = rows.length - 1;
    const go = (index: number) => {
      const next = Math.max(0, Math.min(last, index));
      setActive(next);
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
        toggle(current);
        break;
      case 'expand':
        toggle(current, true);
        break;
      case 'close':
        if (opened === current) toggle(current, false);
        else go(parentOf(rows, current));
        break;
      default:
        return;
    }
    event.preventDefault();
  };
  return (
    <div
      ref={grid}
      className={styles.timeline}
      role="treegrid"
      aria-label="Calls of this attempt"
      aria-rowcount={rows.length + 1}
      aria-colcount={6}
      style={{ '--step': `${(100 * (axis.ticks[1] ?? axis.end)) / axis.end}%` } as object}
      onKeyDown={onKeyDown}
      {...listeners}
    >
      <TimelineHead axis={axis} />
      <div ref={body} className={styles.body} style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start, key }) => {
          const row = rows[index];
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
                  isCurrent={index === current}
                  isOpen={index === opened}
                  onFocus={() => setActive(index)}
                  onToggle={() => toggle(index)}
                />
                {index === opened && row.kind !== 'group' && (
                  <div role="row" className={styles.openRow}>
                    <div role="gridcell" aria-colspan={6} className={styles.openCell}>
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

function keyOf(row: TimelineRow | undefined, index: number): string | number {
  return row?.kind === 'call' ? `call ${row.call.number}` : index;
}

/** The line of those whose call this is. */
function parentOf(rows: readonly TimelineRow[], index: number): number {
  const level = rows[index]?.level ?? 1;
  const above = rows.slice(0, index).findLastIndex((row) => row.level < level);
  return above === -1 ? index : above;
}
