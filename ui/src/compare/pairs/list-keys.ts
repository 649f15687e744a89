import type { KeyboardEvent, RefObject } from 'react';
import { useShortcut } from '../../app/shortcuts.js';
import { gridCommand } from '../../lists/grid-keys.js';

/** Rows that Page Up and Page Down move by. */
const page = 8;

/** Moves between pairs with the keys of the table; left and right move through the links of a row. */
export function useListKeys({
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
    const command = gridCommand(event, page);
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
