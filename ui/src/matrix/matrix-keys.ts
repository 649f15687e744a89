import type { KeyboardEvent } from 'react';
import { useShortcut } from '../app/shortcuts.js';
import { moveRun } from '../compare/view-state.js';
import { gridCommand } from '../lists/grid-keys.js';
import { useMatrixView } from './use-matrix-view.js';

/** The line and the run that are looked at. */
export interface MatrixPlace {
  readonly line: number;
  readonly run: number;
}

/** Moves the cell that is looked at. */
export function useMatrixKeys({
  page,
  lines,
  runs,
  current,
  goTo,
  onEnter,
  onClose,
}: {
  /** Lines that Page Up and Page Down move by. */
  page: number;
  lines: number;
  runs: number;
  current: MatrixPlace;
  goTo: (place: MatrixPlace) => void;
  onEnter: () => void;
  /** Absent if there is nothing to close. */
  onClose: (() => void) | undefined;
}) {
  const [, setView] = useMatrixView();
  const go = (line: number, run: number) =>
    goTo({
      line: Math.max(0, Math.min(lines - 1, line)),
      run: Math.max(0, Math.min(runs - 1, run)),
    });
  // If the focus is elsewhere, the first key only moves it to the table.
  useShortcut('walk', () => go(current.line, current.run));
  const onKey = (event: KeyboardEvent<HTMLDivElement>): boolean => {
    const { key } = event;
    const command = gridCommand(event, page);
    if (command?.type === 'move') go(current.line + command.by, current.run);
    else if (command?.type === 'first') go(0, current.run);
    else if (command?.type === 'last') go(lines - 1, current.run);
    else if (key === 'ArrowRight' || key === 'l') go(current.line, current.run + 1);
    else if (key === 'ArrowLeft' || key === 'h') go(current.line, current.run - 1);
    else if (command?.type === 'open' || command?.type === 'toggle') onEnter();
    else if (key === 'b')
      setView((view) => ({ ...view, runs: moveRun(view.runs, current.run, 0) }));
    else if (key === 'Escape' && onClose) onClose();
    else return false;
    return true;
  };
  return (event: KeyboardEvent<HTMLDivElement>) => {
    // Buttons in the heads have keys of their own.
    if (!(event.target instanceof Element) || !event.target.matches('[role=gridcell]')) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (onKey(event)) event.preventDefault();
  };
}
