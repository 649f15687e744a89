import { useEffect, useState } from 'react';
import { pageSize, rowQueue } from '../../../api/row-queries.js';
import { ScrollSpeed } from './scroll-speed.js';

/** Milliseconds by which rows are loaded before they scroll into view. */
const ahead = 250;
/** Maximum number of rows loaded ahead. */
const most = 5000;
/** Rows always loaded before and after the visible ones. */
const around = 100;

/** A range of rows; `end` is exclusive. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/**
 * The rows to load when `seen` is visible: the adjacent ones, and more in the scroll direction the faster the page
 * scrolls.
 */
export function useLookAhead(seen: RowRange, rowHeight: number): RowRange {
  const [scroll] = useState(() => new ScrollSpeed());
  useEffect(() => {
    const note = () => scroll.note(window.scrollY, performance.now());
    window.addEventListener('scroll', note, { capture: true, passive: true });
    return () => window.removeEventListener('scroll', note, { capture: true });
  }, [scroll]);
  // Milliseconds until rows requested now are visible: requested, loaded, and painted by the next step.
  const lead = rowQueue.took * 1.5 + scroll.step * 2;
  const rows = scroll.speed(performance.now()) / rowHeight;
  // At a higher speed than rows can be loaded, every position is a jump.
  const speed = Math.abs(rows) * lead > most ? 0 : rows;
  useEffect(() => {
    const middle = (seen.first + seen.end) / 2;
    const further = speed * lead;
    const heading = Math.abs(further) > pageSize / 2 ? Math.sign(further) : 0;
    rowQueue.aim((middle + further) / pageSize - 0.5, heading as -1 | 0 | 1);
  });
  const far = Math.min(most, Math.abs(speed) * (lead + ahead));
  return {
    first: Math.max(0, seen.first - (speed < 0 ? far : 0) - around),
    end: seen.end + (speed > 0 ? far : 0) + around,
  };
}
