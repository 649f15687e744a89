import { type MouseEvent, memo } from 'react';
import { hasCalls } from '../../../../../src/model/calls/run-usage.js';
import { usageHint } from '../../../../../src/text/usage-text.js';
import type { TableRow as Row } from '../../../api/schema.js';
import { classNames } from '../../../components/class-names.js';
import { isSlow, seconds } from '../../../components/figures/figures.js';
import { StatusIcon } from '../../../components/icons/status-icon.js';
import { ErrorText } from '../../../components/messages/error-text.js';
import { rowLatency } from '../../../components/runs/row-latency.js';
import { ScoreChips } from '../../../components/scores/score-chips.js';
import { useEarlyClick } from '../actions/use-early-click.js';
import { useLongPress } from '../actions/use-long-press.js';
import { CheckBox, type Checked } from '../cells/check-box.js';
import { EvaluationCell } from '../cells/evaluation-cell.js';
import { OutputCell, Value } from '../cells/output-cell.js';
import { rowName, rowStanding } from '../cells/row-standing.js';
import { ScoreColumnCell } from '../cells/score-cell.js';
import { usageFigure } from '../cells/usage-figure.js';
import {
  type ColumnId,
  fieldOf,
  isAdded,
  isUsageColumn,
  scoreOf,
  type UsageColumn,
} from '../columns/columns.js';
import { isSameLine, type Line } from '../scrolling/table-layout.js';
import { RowActions } from './row-actions.js';
import styles from './table-row.module.css';
import { useChanged } from './use-changed.js';

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
        row?.pruned && styles.pruned,
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
      <span role="gridcell" data-cell="select">
        <CheckBox
          checked={checked}
          label={`Select ${rowName(row)}`}
          onToggle={(event) => handlers.onCheck(line, row, event.shiftKey)}
        />
      </span>
      <span role="gridcell" data-cell="status">
        <StatusIcon standing={rowStanding(row)} />
      </span>
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
      <RowActions
        row={row}
        isOpen={isOpen}
        canRun={props.canRun}
        onExpand={() => handlers.onExpand(line, row)}
        onRerun={() => handlers.onRerun(row)}
        onRegrade={() => handlers.onRegrade(row)}
      />
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

/** The cells of the columns that can be hidden and moved. */
function Cells({
  row,
  columns,
  chipRoom,
  p95,
  isTrial,
}: Pick<TableRowProps, 'columns' | 'chipRoom' | 'p95'> & { row: Row; isTrial: boolean }) {
  const fields = columns.filter((id) => fieldOf(id) !== undefined);
  return columns.map((id) => {
    const score = scoreOf(id);
    if (score !== undefined) return <ScoreColumnCell key={id} row={row} scoreKey={score} />;
    if (isAdded(id)) {
      return (
        <span
          key={id}
          role="gridcell"
          data-cell={id}
          className={classNames(styles.data, styles.given)}
        >
          {row.fields?.[fields.indexOf(id)]}
        </span>
      );
    }
    if (id === 'output') return <OutputCell key={id} row={row} />;
    if (id === 'scores') return <ScoreCell key={id} row={row} width={chipRoom} />;
    if (id === 'latency') return <LatencyCell key={id} row={row} p95={p95} />;
    if (isUsageColumn(id)) return <UsageCell key={id} id={id} row={row} />;
    if (id === 'error') {
      return (
        <span
          key={id}
          role="gridcell"
          data-cell="error"
          className={classNames(styles.data, styles.error)}
        >
          <ErrorText text={row.error} />
        </span>
      );
    }
    return (
      <span
        key={id}
        role="gridcell"
        data-cell={id}
        className={classNames(styles.data, styles.given)}
      >
        {/* The trials of an evaluation are all given the same. */}
        {!isTrial && <Value text={row[id]} />}
      </span>
    );
  });
}

function LatencyCell({ row, p95 }: { row: Row; p95: number | null }) {
  const latency = rowLatency(row);
  return (
    <span
      role="gridcell"
      data-cell="latency"
      className={classNames(
        styles.latency,
        typeof latency === 'number' && isSlow(latency, p95) && styles.slow,
        row.origin?.kind === 'carried' && row.fold === undefined && 'faint',
      )}
    >
      {latency === 'replayed' ? (
        <small>replayed</small>
      ) : (
        latency !== null && (
          <>
            {seconds(latency)}
            {/* Where no table head has it. */}
            <span className={styles.unit}> s</span>
          </>
        )
      )}
    </span>
  );
}

/** Calls, tokens or cost of a row; the sum over trials. */
function UsageCell({ id, row }: { id: UsageColumn; row: Row }) {
  const usage = row.fold ? row.fold.usage : row.usage;
  const isCost = id === 'cost';
  const isUnknown = isCost && usage?.cost === null;
  return (
    <span
      role="gridcell"
      data-cell={id}
      className={classNames(styles.figure, isUnknown && styles.unknown)}
      title={usageHint(usage)}
    >
      {hasCalls(usage) && usageFigure(id, usage)}
    </span>
  );
}

/** The scores of a row on one line. */
function ScoreCell({ row, width }: { row: Row; width: number }) {
  return (
    <span role="gridcell" data-cell="scores" className={styles.chips}>
      <ScoreChips row={row} width={width} />
    </span>
  );
}
