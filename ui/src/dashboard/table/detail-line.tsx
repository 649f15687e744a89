import type { TableRow } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import type { ColumnId } from './columns.js';
import { RowDetail } from './row-detail.js';
import styles from './row-detail.module.css';
import { type Line, lineKey } from './table-layout.js';
import type { RowHandlers } from './table-row.js';

/** The line below a row that shows its details; as high as they are. */
export function DetailLine({
  line,
  number,
  rowIndex,
  top,
  run,
  row,
  columns,
  measure,
  handlers,
}: {
  line: Line;
  /** Of the line in the table, for the measuring. */
  number: number;
  rowIndex: number;
  top: number;
  run: string;
  row: TableRow | undefined;
  columns: readonly ColumnId[];
  measure: (element: HTMLElement | null) => void;
  handlers: Pick<RowHandlers, 'hrefOf'>;
}) {
  const index = line.index ?? 0;
  return (
    <div
      role="row"
      aria-rowindex={rowIndex}
      ref={measure}
      data-index={number}
      data-key={lineKey(line)}
      style={{ transform: `translateY(${top}px)` }}
      className={classNames('grid-line', styles.detail)}
    >
      <RowDetail
        run={run}
        index={index}
        row={row}
        columns={columns}
        href={handlers.hrefOf({ index })}
      />
    </div>
  );
}
