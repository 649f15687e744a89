import { useEffect, useState } from 'react';
import { outlinePageSize, outlineQueue, pageSize, rowQueue } from '../../../api/row-queries.js';
import { ScrollSpeed } from './scroll-speed.js';

/** Milliseconds by which rows are loaded before they scroll into view. */
const ahead = 250;
/** Maximum number of rows loaded ahead. */
const most = 5000;
/** Rows always loaded before and after the visible ones. */
const around = 100;

/** Rows per millisecond from which nobody reads them: outlines are loaded instead, until they pass slowly again. */
const unreadable = 2;
const slow = 0.5;
/** Milliseconds by which outlines are loaded before they scroll into view, and their maximum number. */
const outlinesAhead = 1000;
const mostOutlines = 20_000;

/** A range of rows; `end` is exclusive. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** What to load. */
export interface LookAhead {
  /** The rows to load. */
  readonly rows: RowRange;
  /** The outlines to load, while rows pass too quickly to be read; then no rows are loaded. */
  readonly outlines: RowRange | undefined;
}

/**
 * What to load when `seen` is visible: the adjacent rows, and more in the scroll direction the faster the page
 * scrolls. If it scrolls too fast to read, outlines of rows.
 */
export function useLookAhead(seen: RowRange, rowHeight: number): LookAhead {
  const [scroll] = useState(() => new ScrollSpeed());
  const [, lookAgain] = useState(0);
  useEffect(() => {
    const note = () => scroll.note(window.scrollY, performance.now());
    window.addEventListener('scroll', note, { capture: true, passive: true });
    return () => window.removeEventListener('scroll', note, { capture: true });
  }, [scroll]);
  // Milliseconds until rows requested now are visible: requested, loaded, and painted by the next step.
  const lead = rowQueue.took * 1.5 + scroll.step * 2;
  const rows = scroll.speed(performance.now()) / rowHeight;
  const [passing] = useState({ isPast: false });
  const isPast = Math.abs(rows) > (passing.isPast ? slow : unreadable);
  passing.isPast = isPast;
  useEffect(() => {
    if (!isPast) return;
    const timer = setTimeout(() => lookAgain((n) => n + 1), scroll.rest + 1);
    return () => clearTimeout(timer);
  });
  // At a higher speed than rows can be loaded, every position is a jump.
  const speed = Math.abs(rows) * lead > most ? 0 : rows;
  useEffect(() => {
    const middle = (seen.first + seen.end) / 2;
    const further = speed * lead;
    const heading = Math.abs(further) > pageSize / 2 ? Math.sign(further) : 0;
    rowQueue.aim((middle + further) / pageSize - 0.5, heading as -1 | 0 | 1);
    const arrival = middle + rows * (outlineQueue.took + scroll.step);
    outlineQueue.aim(arrival / outlinePageSize - 0.5, Math.sign(rows) as -1 | 0 | 1);
  });
  if (isPast) {
    const far = Math.min(mostOutlines, Math.abs(rows) * (outlinesAhead + 2 * outlineQueue.took));
    const outlines = {
      first: Math.max(0, seen.first - (rows < 0 ? far : 0)),
      end: seen.end + (rows > 0 ? far : 0),
    };
    return { rows: seen, outlines };
  }
  const far = Math.min(most, Math.abs(speed) * (lead + ahead));
  return {
    rows: {
      first: Math.max(0, seen.first - (speed < 0 ? far : 0) - around),
      end: seen.end + (speed > 0 ? far : 0) + around,
    },
    outlines: undefined,
  };
}
