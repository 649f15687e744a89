import { type ColumnId, type Columns, visibleColumns } from './columns.js';

/** Tracks of columns whose width was not set by hand. */
const tracks: Readonly<Record<ColumnId, string>> = {
  input: 'minmax(0, 1.02fr)',
  reference: 'minmax(0, 0.7fr)',
  output: 'minmax(0, 1.16fr)',
  scores: 'minmax(0, min(262px, 20vw))',
  error: 'minmax(0, 1fr)',
  latency: '46px',
};

/** Least width of a column in pixels. */
export const leastWidth = 40;

/** The columns of the grid: selection, status, evaluation, then those in sight. */
export function columnTracks(columns: Columns): string {
  const rest = visibleColumns(columns).map((id) => {
    const width = columns.widths[id];
    return width === undefined ? tracks[id] : `minmax(0, ${Math.round(width)}px)`;
  });
  return ['14px', '14px', 'minmax(150px, 1.5fr)', ...rest].join(' ');
}

/** The same columns with one of them before or after its neighbour in sight. */
export function moveColumn(columns: Columns, id: ColumnId, by: -1 | 1): Columns {
  const visible = visibleColumns(columns);
  const neighbour = visible[visible.indexOf(id) + by];
  if (neighbour === undefined) return columns;
  const order = columns.order.filter((other) => other !== id);
  order.splice(order.indexOf(neighbour) + (by === 1 ? 1 : 0), 0, id);
  return { ...columns, order };
}

/** Moves the edge between two columns: what one gains the other loses. `left` is absent for the evaluation, which takes what is left. */
export function moveEdge(
  columns: Columns,
  left: readonly [ColumnId, number] | undefined,
  right: readonly [ColumnId, number] | undefined,
  by: number,
): Columns {
  const most = right === undefined ? 0 : right[1] - leastWidth;
  const least = left === undefined ? -400 : leastWidth - left[1];
  const step = Math.max(least, Math.min(most, by));
  return {
    ...columns,
    widths: {
      ...columns.widths,
      ...(left && { [left[0]]: left[1] + step }),
      ...(right && { [right[0]]: right[1] - step }),
    },
  };
}

/** Columns without widths set by hand. */
export function withoutWidths(columns: Columns, ids: readonly (ColumnId | undefined)[]): Columns {
  const widths = Object.fromEntries(
    Object.entries(columns.widths).filter(([id]) => !(ids as readonly string[]).includes(id)),
  );
  return { ...columns, widths };
}
