import { useEffect, useState } from 'react';
import { pageSize, rowQueue } from '../../api/row-queries.js';
import { ScrollPace } from './scroll-pace.js';

/** Milliseconds by which rows are read before they scroll into view. */
const ahead = 250;
/** Most rows that are read ahead. */
const most = 5000;
/** Rows that are read before and after those in sight in any case. */
const around = 100;

/** Rows to have: `end` does not belong to them. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** Which rows to read when those of `seen` are in sight: also those around, and the further ahead the faster the page scrolls. */
export function useLookAhead(seen: RowRange, rowHeight: number): RowRange {
  const [pace] = useState(() => new ScrollPace());
  useEffect(() => {
    const note = () => pace.note(window.scrollY, performance.now());
    window.addEventListener('scroll', note, { capture: true, passive: true });
    return () => window.removeEventListener('scroll', note, { capture: true });
  }, [pace]);
  // What is asked for now is in sight after so many milliseconds: asked for, read, and painted by the next step.
  const lead = rowQueue.took * 1.5 + pace.step * 2;
  const rows = pace.speed(performance.now()) / rowHeight;
  // Who is faster than can be read ahead jumps from place to place.
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
