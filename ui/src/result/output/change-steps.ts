import { type RefObject, useEffect, useRef, useState } from 'react';
import { useShortcut } from '../../app/shortcuts.js';

/** Pixels at both ends of the window where a difference is not in sight: bars are there. */
const hidden = 90;

/** The current difference, from 0, and the way to the others. */
export interface ChangeSteps {
  readonly current: number | undefined;
  readonly go: (by: number) => void;
}

/** Leads from one difference to the next: `[`, `]`. The marks of each have its number in `data-change`. */
export function useChangeSteps({
  pair,
  count: all,
  onMissing,
  isAtFirst,
}: {
  /** Holds the marks. */
  pair: RefObject<HTMLElement | null>;
  count: number;
  /** Shows what is folded or left out: the difference is not in the page. */
  onMissing: (change: number) => void;
  /** Begins at the first difference. */
  isAtFirst: boolean;
}): ChangeSteps {
  const [current, setCurrent] = useState(isAtFirst && all > 0 ? 0 : undefined);
  const isSought = useRef(isAtFirst);
  const go = (by: number) => {
    if (all === 0) return;
    const next = current === undefined ? (by > 0 ? 0 : all - 1) : (current + by + all) % all;
    if (marksOf(pair.current, next).length === 0) onMissing(next);
    isSought.current = true;
    setCurrent(next);
  };
  useShortcut('changes', ({ key }) => go(key === '[' ? -1 : 1));
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first difference is looked for as the page opens
  useEffect(() => {
    if (current !== undefined && marksOf(pair.current, current).length === 0) onMissing(current);
  }, []);
  // After every render, because marks may be new, and come late where they were folded.
  useEffect(() => {
    if (current === undefined) return;
    const found = marksOf(pair.current, current);
    for (const mark of found) mark.dataset.current = '';
    if (found.length > 0 && isSought.current) {
      isSought.current = false;
      // Once the page has scrolled to the start of the result.
      requestAnimationFrame(() => bringIntoSight(marksOf(pair.current, current)[0]));
    }
    return () => {
      for (const mark of found) delete mark.dataset.current;
    };
  });
  return { current, go };
}

function marksOf(pair: HTMLElement | null, change: number): readonly HTMLElement[] {
  return [...(pair?.querySelectorAll<HTMLElement>(`mark[data-change="${change}"]`) ?? [])];
}

function bringIntoSight(mark: HTMLElement | undefined): void {
  const box = mark?.getBoundingClientRect();
  if (box === undefined || (box.top >= hidden && box.bottom <= innerHeight - hidden)) return;
  mark?.scrollIntoView({ block: 'center' });
}
