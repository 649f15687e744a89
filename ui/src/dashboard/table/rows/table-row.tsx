import { type MouseEvent, memo, type PointerEvent, useEffect, useRef, useState } from 'react';
import type { TableRow as Row } from '../../../api/schema.js';
import { classNames } from '../../../components/class-names.js';
import { IconButton } from '../../../components/controls/button.js';
import type { IconName } from '../../../components/icons/icon-paths.js';
import { StatusIcon } from '../../../components/icons/status-icon.js';
import { Cell } from '../cells/cell.js';
import { CheckBox, type Checked } from '../cells/check-box.js';
import { EvaluationCell } from '../cells/evaluation-cell.js';
import { rowName, rowStanding } from '../cells/row-standing.js';
import { Cells } from '../cells/value-cells.js';
import type { ColumnId } from '../columns/columns.js';
import { isSameLine, type Line } from '../scrolling/table-layout.js';
import styles from './table-row.module.css';

/** Event handlers of rows; `line` identifies the row. */
export interface RowHandlers {
  readonly onFocus: (line: Line) => void;
  readonly onOpen: (line: Line, row: Row, event: MouseEvent) => void;
  readonly onCheck: (line: Line, row: Row, isRange: boolean) => void;
  readonly onExpand: (line: Line, row: Row) => void;
  readonly onRerun: (row: Row) => void;
  readonly onRegrade: (row: Row) => void;
  /** Opens or folds a group, or all of them. */
  readonly onFold: (group: number, isAll: boolean) => void;
  readonly onCheckGroup: (group: number) => void;
  readonly hrefOf: (row: Pick<Row, 'index'>) => string;
}

export interface TableRowProps {
  /** Absent until it is loaded; a placeholder keeps the position and the focus. */
  readonly row: Row | undefined;
  readonly line: Line;
  /** Number of the line, from 1; the head is the first. */
  readonly rowIndex: number;
  readonly top: number;
  readonly columns: readonly ColumnId[];
  readonly checked: Checked;
  readonly isActive: boolean;
  readonly isOpen: boolean;
  /** True while its details are shown below. */
  readonly hasDetail: boolean;
  /** Pixels the chips may take. */
  readonly chipRoom: number;
  /** Length of the end of its name that is never cut. */
  readonly nameEnd: number | undefined;
  readonly p95: number | null;
  readonly canRun: boolean;
  /** The level below the groups; `undefined` without groups. */
  readonly level: number | undefined;
  readonly handlers: RowHandlers;
}

/** One row: a result, a trial, or all trials of an evaluation. */
export const TableRow = memo(function TableRow(props: TableRowProps) {
  const { row, line, checked, hasDetail, handlers } = props;
  const isChanged = useChanged(row);
  const click = useEarlyClick(line, row, handlers.onOpen);
  const press = useLongPress(() => row && handlers.onCheck(line, row, false));
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys.
    <div
      role="row"
      aria-rowindex={props.rowIndex}
      aria-level={props.level}
      aria-selected={checked === 'on'}
      aria-busy={row === undefined}
      tabIndex={props.isActive ? 0 : -1}
      data-line={line.kind}
      data-result={row?.index}
      style={{ transform: `translateY(${props.top}px)` }}
      className={classNames(
        'grid-line',
        styles.row,
        line.kind === 'trial' && styles.trial,
        line.isLast && styles.last,
        checked === 'on' && styles.selected,
        hasDetail && styles.open,
        isChanged && styles.changed,
        row?.status === 'running' && styles.running,
        row?.pruned && 'faint',
      )}
      onFocus={() => handlers.onFocus(line)}
      onMouseDown={(event) => {
        // Shift selects a range of rows, not of text.
        if (event.shiftKey) event.preventDefault();
      }}
      onClick={(event) => {
        if (!press.wasLong()) click(event);
      }}
      {...press.props}
    >
      {row ? (
        <RowCells {...props} row={row} />
      ) : (
        <span role="gridcell" className={styles.missing}>
          <span className="sr">is being read</span>
        </span>
      )}
    </div>
  );
}, isSame);

function RowCells(props: TableRowProps & { row: Row }) {
  const { row, line, checked, isOpen, handlers } = props;
  const isTrial = line.kind === 'trial';
  return (
    <>
      <Cell id="select">
        <CheckBox
          checked={checked}
          label={`Select ${rowName(row)}`}
          onToggle={(event) => handlers.onCheck(line, row, event.shiftKey)}
        />
      </Cell>
      <Cell id="status">
        <StatusIcon standing={rowStanding(row)} />
      </Cell>
      <EvaluationCell
        row={row}
        isTrial={isTrial}
        isLast={line.isLast ?? false}
        isOpen={isOpen}
        href={handlers.hrefOf(row)}
        nameEnd={props.nameEnd}
        onToggle={(event) => {
          event.stopPropagation();
          handlers.onExpand(line, row);
        }}
      />
      <Cells {...props} isTrial={isTrial} />
      <RowActions {...props} />
    </>
  );
}

/** Compares lines by value, because they are created on each render. */
function isSame(before: TableRowProps, now: TableRowProps): boolean {
  const names = Object.keys(now) as (keyof TableRowProps)[];
  return names.every((name) =>
    name === 'line' ? isSameLine(before.line, now.line) : before[name] === now[name],
  );
}

/** Opens a row that is clicked: at once, or when it is loaded, if the element still shows it then. */
function useEarlyClick(
  line: Line,
  row: Row | undefined,
  open: (line: Line, row: Row, event: MouseEvent) => void,
): (event: MouseEvent) => void {
  const [early, setEarly] = useState<{ readonly line: Line; readonly event: MouseEvent }>();
  useEffect(() => {
    if (early === undefined) return;
    const isHere = isSameLine(early.line, line);
    if (isHere && row === undefined) return;
    setEarly(undefined);
    if (isHere && row !== undefined) open(line, row, early.event);
  }, [early, line, row, open]);
  return (event) => {
    if (row === undefined) setEarly({ line, event });
    else open(line, row, event);
  };
}

/** Minimum duration of a long press in milliseconds. */
const pressFor = 450;
/** Maximum movement during a long press in pixels. */
const mayMove = 8;

/** Calls `act` on a long press, which on touch screens replaces the checkbox. */
function useLongPress(act: () => void) {
  const press = useRef({
    timer: undefined as ReturnType<typeof setTimeout> | undefined,
    x: 0,
    y: 0,
    isLong: false,
  });
  const stop = () => clearTimeout(press.current.timer);
  return {
    /** True for the click at the end of a long press. */
    wasLong: () => {
      const { isLong } = press.current;
      press.current.isLong = false;
      return isLong;
    },
    props: {
      onPointerDown: ({ pointerType, clientX, clientY }: PointerEvent) => {
        if (pointerType !== 'touch') return;
        const start = () => {
          press.current.isLong = true;
          act();
        };
        press.current = {
          timer: setTimeout(start, pressFor),
          x: clientX,
          y: clientY,
          isLong: false,
        };
      },
      onPointerMove: ({ clientX, clientY }: PointerEvent) => {
        const { x, y } = press.current;
        if (Math.hypot(clientX - x, clientY - y) > mayMove) stop();
      },
      onPointerUp: stop,
      onPointerCancel: stop,
      onContextMenu: (event: { preventDefault: () => void }) => {
        if (press.current.isLong) event.preventDefault();
      },
    },
  };
}

/** Milliseconds for which a changed row is highlighted. */
const tintedFor = 1000;

/** True shortly after the result of a row has changed. Another result in its place is no change. */
function useChanged(row: Row | undefined): boolean {
  const before = useRef(row);
  const [change, setChange] = useState(0);
  useEffect(() => {
    const was = before.current;
    before.current = row;
    if (was === row) return;
    if (was?.index !== row?.index) setChange(0);
    else if (was && row && shownOf(was) !== shownOf(row)) setChange((n) => n + 1);
  }, [row]);
  useEffect(() => {
    if (change === 0) return;
    const timer = setTimeout(() => setChange(0), tintedFor);
    return () => clearTimeout(timer);
  }, [change]);
  return change > 0;
}

/** What a change of is highlighted. */
function shownOf({ status, passed, output, error, latency, replayed, ...row }: Row): string {
  const { annotation, scores, fold } = row;
  const values = [status, passed, output, error, latency, replayed, annotation];
  return JSON.stringify([values, scores, fold?.standings]);
}

/** The actions of a row, shown on hover and on focus. */
function RowActions({ row, line, isOpen, canRun, handlers }: TableRowProps & { row: Row }) {
  const action = (icon: IconName, label: string, act: () => void) => (
    <IconButton
      needsServer={icon !== 'down'}
      small
      tabIndex={-1}
      icon={icon}
      label={label}
      className={icon === 'down' && isOpen ? styles.turned : undefined}
      onClick={(event) => {
        event.stopPropagation();
        act();
      }}
    />
  );
  return (
    <Cell id="actions" className={styles.actions}>
      {canRun && action('rerun', 'Rerun', () => handlers.onRerun(row))}
      {canRun &&
        row.regradable &&
        !row.inexact &&
        action('regrade', 'Regrade', () => handlers.onRegrade(row))}
      {action('down', isOpen ? 'Close' : 'Expand', () => handlers.onExpand(line, row))}
    </Cell>
  );
}
