import type { KeyboardEvent, RefObject } from 'react';
import { useShortcut } from '../../app/shortcuts.js';

interface ListKeys {
  readonly grid: RefObject<HTMLDivElement | null>;
  readonly current: number;
  readonly count: number;
  readonly goTo: (position: number) => void;
  /** Brings the reader to the current row. */
  readonly enter: () => void;
  readonly onOpen: () => void;
  readonly onToggle: () => void;
}

/** Walks the rows: `j` `k` and arrows from anywhere; Home, End, Page keys, Enter and space in the list; left and right to its links. */
export function useListKeys({ grid, current, count, goTo, enter, onOpen, onToggle }: ListKeys) {
  const go = (position: number) => {
    if (count === 0) return;
    goTo(Math.max(0, Math.min(count - 1, position)));
    enter();
  };
  useShortcut('walk', ({ key }) => {
    const isHere = grid.current?.contains(document.activeElement) === true;
    const step = key === 'j' || key === 'ArrowDown' ? 1 : -1;
    // The first step goes to the row that is in turn.
    go(isHere ? current + step : current);
  });

  return (event: KeyboardEvent<HTMLDivElement>) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof HTMLElement)) return;
    const isRow = target.getAttribute('role') === 'row';
    if (key === 'ArrowRight' || key === 'ArrowLeft') {
      event.preventDefault();
      moveInRow(target, key === 'ArrowRight' ? 1 : -1);
      return;
    }
    const pages: Readonly<Record<string, number>> = {
      Home: 0,
      End: count - 1,
      PageDown: current + 8,
      PageUp: current - 8,
    };
    const to = pages[key];
    if (to !== undefined) go(to);
    else if (isRow && key === 'Enter') onOpen();
    else if (isRow && key === ' ') onToggle();
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
