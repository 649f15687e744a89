import {
  type KeyboardEvent,
  useInsertionEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useLocation } from 'wouter';
import type { Run } from '../../api/client.js';
import type { TableRow } from '../../api/schema.js';
import { useShortcut } from '../../app/shortcuts.js';
import { type GridCommand, gridCommand } from '../../lists/grid-keys.js';
import { useRunActions } from '../use-run-actions.js';
import { useView } from '../use-view.js';
import { renderView } from '../view-state.js';
import { rowIndices } from './row-standing.js';
import { isSameLine, type Line, type TableLayout } from './table-layout.js';
import type { RowHandlers } from './table-row.js';
import type { useRowSelection } from './use-row-selection.js';

interface Given {
  readonly run: Run;
  readonly layout: TableLayout;
  readonly activeLine: number;
  readonly activate: (line: Line) => void;
  /** Focuses the active row. */
  readonly enter: () => void;
  readonly rowAt: (line: Line) => TableRow | undefined;
  readonly isOpen: (line: Line, row: TableRow) => boolean;
  readonly toggle: (line: Line, row: TableRow) => void;
  readonly selection: ReturnType<typeof useRowSelection>;
  readonly isNarrow: boolean;
  readonly keepHere: () => void;
  readonly onSelectAll: () => void;
  /** Scrolls a line into view. */
  readonly reveal: (line: number) => void;
  /** The number of visible lines. */
  readonly page: number;
}

/** A command for the active row, given before the row has been read. */
interface WaitingCommand {
  readonly command: GridCommand;
  readonly line: Line;
}

/** Handles mouse and keyboard in rows; one row is active. */
export function useRowCommands(given: Given) {
  const { run, layout, activeLine, activate, rowAt, selection } = given;
  const [view] = useView();
  const [, navigate] = useLocation();
  const actions = useRunActions(run);
  const hrefOf = ({ index }: Pick<TableRow, 'index'>) =>
    `/runs/${encodeURIComponent(run.run_id)}/results/${index}${renderView(view)}`;

  const open = (row: TableRow) => {
    given.keepHere();
    navigate(hrefOf(row));
    window.scrollTo(0, 0);
  };
  const goTo = (line: number, by: 1 | -1 = 1) => {
    let n = Math.max(0, Math.min(layout.count - 1, line));
    // Skips details.
    while (layout.at(n).kind === 'detail') n += n === layout.count - 1 ? -1 : by;
    activate(layout.at(n));
    given.reveal(n);
    given.enter();
    return n;
  };

  const [waiting, setWaiting] = useState<readonly WaitingCommand[]>([]);

  const act = (command: GridCommand) => {
    const line = layout.at(activeLine);
    const row = rowAt(line);
    if (command.type === 'move' || command.type === 'first' || command.type === 'last') {
      const by = command.type === 'move' ? Math.sign(command.by) : command.type === 'last' ? -1 : 1;
      const to =
        command.type === 'move'
          ? activeLine + command.by
          : command.type === 'first'
            ? 0
            : layout.count - 1;
      const n = goTo(to, by as 1 | -1);
      if (command.isRange) void selection.extend(n, activeLine);
    } else if (command.type === 'selectAll') given.onSelectAll();
    else if (command.type === 'selectNone') selection.clear();
    else if (row === undefined) setWaiting((before) => [...before, { command, line }]);
    else if (command.type === 'open') open(row);
    else if (command.type === 'select') selection.toggle(activeLine, row);
    else if (command.type === 'selectTo') void selection.extend(activeLine);
    else if (command.type === 'toggle') given.toggle(line, row);
    else if (command.type === 'expand') {
      if (!given.isOpen(line, row)) given.toggle(line, row);
      else if (row.fold && line.kind === 'row') goTo(activeLine + 1);
    } else if (given.isOpen(line, row)) given.toggle(line, row);
    else if (line.kind === 'trial') goTo(layout.find(line.position));
  };

  // One command per rendering: each needs the changes of the one before.
  useLayoutEffect(() => {
    const [next, ...others] = waiting;
    if (next === undefined) return;
    const line = layout.at(activeLine);
    if (!isSameLine(next.line, line)) setWaiting([]);
    else if (rowAt(line) !== undefined) {
      setWaiting(others);
      act(next.command);
    }
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    // Links and buttons in a row handle their own keys.
    const isInside = target.getAttribute('role') !== 'row';
    if (isInside && (event.key === 'Enter' || event.key === ' ')) return;
    const command = gridCommand(event, given.page);
    if (command === undefined) return;
    if (command.type === 'selectNone' && !selection.isSelecting) return;
    event.preventDefault();
    act(command);
  };
  // If the focus is elsewhere, the first key only moves it to the row.
  useShortcut('walk', () => goTo(activeLine));
  useShortcut('select', () => act({ type: 'select' }));
  useShortcut('selectTo', () => act({ type: 'selectTo' }));

  const handlers = useStable<RowHandlers>({
    hrefOf,
    onFocus: activate,
    onOpen: (line, row, event) => {
      const link = (event.target as HTMLElement).closest('a');
      const isApart = event.ctrlKey || event.metaKey;
      if (link && isApart) return;
      event.preventDefault();
      const n = layout.find(line.position, line.kind === 'trial' ? line.index : undefined);
      if (event.shiftKey) void selection.extend(n, activeLine);
      else if (isApart || (given.isNarrow && selection.isSelecting)) selection.toggle(n, row);
      else if (getSelection()?.isCollapsed !== false) open(row);
    },
    onCheck: (line, row, isRange) => {
      const n = layout.find(line.position, line.kind === 'trial' ? line.index : undefined);
      if (isRange) void selection.extend(n);
      else selection.toggle(n, row);
    },
    onExpand: given.toggle,
    onRerun: (row) => actions.rerun(rowIndices(row)),
    onRegrade: (row) => actions.regrade(rowIndices(row)),
  });
  return { handlers, onKeyDown };
}

/** Stable functions that call the latest given ones. */
function useStable<T extends object>(functions: T): T {
  const latest = useRef(functions);
  // Before other effects of the same render, one of which focuses a row.
  useInsertionEffect(() => {
    latest.current = functions;
  });
  return useMemo(() => {
    const names = Object.keys(latest.current) as (keyof T)[];
    const calls = names.map((name) => [
      name,
      (...args: readonly unknown[]) =>
        (latest.current[name] as (...a: unknown[]) => unknown)(...args),
    ]);
    return Object.fromEntries(calls) as T;
  }, []);
}
