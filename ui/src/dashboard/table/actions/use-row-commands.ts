import {
  type KeyboardEvent,
  useInsertionEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useLocation } from 'wouter';
import type { TableRow } from '../../../api/schema.js';
import { useShortcut } from '../../../app/shortcuts.js';
import { useNarrow } from '../../../browser/use-media.js';
import { type GridCommand, gridCommand } from '../../../lists/grid-keys.js';
import { useFigures, useShown } from '../../dashboard-state.js';
import { useRunActions } from '../../use-run-actions.js';
import { useView } from '../../use-view.js';
import { allFolded, allOpen, isFolded, renderView, toggleFold } from '../../view-state.js';
import { rowIndices } from '../cells/row-standing.js';
import type { RowHandlers } from '../rows/table-row.js';
import { isSameLine, type Line, type TableLayout } from '../scrolling/table-layout.js';
import type { useRowSelection } from './use-row-selection.js';

interface Given {
  readonly layout: TableLayout;
  readonly activeLine: number;
  readonly activate: (line: Line) => void;
  /** Focuses the active row. */
  readonly enter: () => void;
  readonly rowAt: (line: Line) => TableRow | undefined;
  readonly isOpen: (line: Line, row: TableRow) => boolean;
  readonly toggle: (line: Line, row: TableRow) => void;
  readonly selection: ReturnType<typeof useRowSelection>;
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
  const { layout, activeLine, activate, rowAt, selection } = given;
  const [view, setView] = useView();
  const [, navigate] = useLocation();
  const { run } = useShown();
  const { groups } = useFigures().summary;
  const keyOf = (group: number) => groups?.[group]?.key ?? null;
  const isFoldedNow = (key: string | null) => isFolded(view.folds, key, groups?.length ?? 0);
  const isNarrow = useNarrow();
  const actions = useRunActions();
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

  const fold = (group: number, isAll: boolean, toFolded?: boolean) => {
    const key = keyOf(group);
    const isNow = isFoldedNow(key);
    if (!isAll && toFolded === isNow) return;
    const folds = isAll
      ? (toFolded ?? !isNow)
        ? allFolded
        : allOpen
      : toggleFold(view.folds, key);
    setView((now) => ({ ...now, folds }), { replace: true });
  };

  /** What keys do on the line of a group. */
  const actOnGroup = (command: GridCommand, group: number) => {
    const isNow = isFoldedNow(keyOf(group));
    if (command.type === 'open' || command.type === 'toggle') fold(group, false);
    else if (command.type === 'select') void selection.toggleGroup(group);
    else if (command.type === 'selectTo') void selection.extend(activeLine);
    else if (command.type === 'close') fold(group, command.isAll, true);
    else if (command.type === 'expand') {
      if (command.isAll || isNow) fold(group, command.isAll, false);
      else goTo(activeLine + 1);
    }
  };

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
    else if (line.group !== undefined) actOnGroup(command, line.group);
    else if (row === undefined) setWaiting((before) => [...before, { command, line }]);
    else if (command.type === 'open') open(row);
    else if (command.type === 'select') selection.toggle(activeLine, row);
    else if (command.type === 'selectTo') void selection.extend(activeLine);
    else if (command.type === 'toggle') given.toggle(line, row);
    else if (isOfGroups(command, layout)) {
      fold(layout.groupOf(line.position) ?? 0, true, command.type === 'close');
    } else if (command.type === 'expand') {
      if (!given.isOpen(line, row)) given.toggle(line, row);
      else if (row.fold && line.kind === 'row') goTo(activeLine + 1);
    } else if (given.isOpen(line, row)) given.toggle(line, row);
    else if (line.kind === 'trial') goTo(layout.find(line.position));
    else closeGroup(line);
  };

  const closeGroup = ({ position }: Line) => {
    const group = layout.groupOf(position);
    if (group !== undefined) goTo(layout.findGroup(group));
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
      else if (isApart || (isNarrow && selection.isSelecting)) selection.toggle(n, row);
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
    onFold: fold,
    onCheckGroup: (group) => void selection.toggleGroup(group),
  });
  return { handlers, onKeyDown };
}

/** Shift and an arrow fold or open all groups. */
function isOfGroups(command: GridCommand, layout: TableLayout): boolean {
  return 'isAll' in command && command.isAll && layout.groupOf(0) !== undefined;
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
