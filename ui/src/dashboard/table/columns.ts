import { useSyncExternalStore } from 'react';

/** Columns that can be hidden; selection, status and evaluation are always there. */
const columnIds = [
  'input',
  'reference',
  'output',
  'scores',
  'error',
  'calls',
  'tokens',
  'cost',
  'latency',
] as const;
export type ColumnId = (typeof columnIds)[number];

/** Columns of usage, which the table has only if the run has calls. */
const usageColumns = ['calls', 'tokens', 'cost'] as const satisfies readonly ColumnId[];
export type UsageColumn = (typeof usageColumns)[number];

/** True for columns of usage. */
export function isUsageColumn(id: ColumnId): id is UsageColumn {
  return (usageColumns as readonly ColumnId[]).includes(id);
}

/** Column names in the table head. */
export const columnNames: Readonly<Record<ColumnId, string>> = {
  input: 'Input',
  reference: 'Reference',
  output: 'Output',
  scores: 'Scores',
  error: 'Error',
  calls: 'Calls',
  tokens: 'Tokens',
  cost: 'Cost $',
  latency: 'Latency',
};

/** The arrangement of the columns, stored per browser. */
export interface Columns {
  /** All columns, in order. */
  readonly order: readonly ColumnId[];
  readonly hidden: readonly ColumnId[];
  /** Widths set by hand, in pixels. */
  readonly widths: Readonly<Partial<Record<ColumnId, number>>>;
  /** Of the run on the page, not stored: without calls there are no columns of usage. */
  readonly hasUsage: boolean;
}

/** The error column is hidden initially, because the output cell shows errors. */
const defaultColumns: Columns = {
  order: columnIds,
  hidden: ['error'],
  widths: {},
  hasUsage: false,
};

const key = 'assay.columns';
const watchers = new Set<() => void>();
let columns = load();

function load(): Columns {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? 'null') as Partial<Columns> | null;
    if (kept === null) return defaultColumns;
    const known = (ids: unknown): ColumnId[] =>
      Array.isArray(ids) ? columnIds.filter((id) => ids.includes(id)) : [];
    const order = Array.isArray(kept.order)
      ? kept.order.filter((id, n, all) => columnIds.includes(id) && all.indexOf(id) === n)
      : [];
    return {
      order: [...order, ...columnIds.filter((id) => !order.includes(id))],
      hidden: known(kept.hidden),
      widths: readWidths(kept.widths),
      hasUsage: false,
    };
  } catch {
    return defaultColumns;
  }
}

function readWidths(kept: unknown): Columns['widths'] {
  if (typeof kept !== 'object' || kept === null) return {};
  const entries = Object.entries(kept).filter(
    ([id, width]) =>
      (columnIds as readonly string[]).includes(id) && typeof width === 'number' && width >= 40,
  );
  return Object.fromEntries(entries) as Columns['widths'];
}

/** Sets and stores the arrangement of the columns. */
export function setColumns(next: Columns): void {
  columns = next;
  try {
    const { hasUsage: _, ...kept } = next;
    localStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // Without storage, it applies to this page only.
  }
  for (const watcher of watchers) watcher();
}

/** The current arrangement of the columns. */
export function readColumns(): Columns {
  return columns;
}

/** The arrangement of the columns, as state. */
export function useColumns(): Columns {
  return useSyncExternalStore((watcher) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  }, readColumns);
}

/** Says whether the run on the page has calls. */
export function setHasUsage(hasUsage: boolean): void {
  if (columns.hasUsage === hasUsage) return;
  columns = { ...columns, hasUsage };
  for (const watcher of watchers) watcher();
}

/** The visible columns, in order. */
export function visibleColumns({ order, hidden, hasUsage }: Columns): readonly ColumnId[] {
  return order.filter((id) => !hidden.includes(id) && (hasUsage || !isUsageColumn(id)));
}

/** The column that has the pass rate of groups: a wide one. */
export function rateColumn(visible: readonly ColumnId[]): ColumnId | undefined {
  const wide = ['output', 'input', 'reference', 'error'] as const;
  return wide.find((id) => visible.includes(id));
}

/** The columns for windows up to 900 pixels: of the usage, only the cost. */
export function fitColumns(columns: Columns): Columns {
  if (!columns.hasUsage) return columns;
  return { ...columns, hidden: [...columns.hidden, 'reference', 'calls', 'tokens'] };
}

/** Tracks of columns whose width was not set by hand. */
const tracks: Readonly<Record<ColumnId, string>> = {
  input: 'minmax(0, 1.02fr)',
  reference: 'minmax(0, 0.7fr)',
  output: 'minmax(0, 1.16fr)',
  scores: 'minmax(0, min(262px, 20vw))',
  error: 'minmax(0, 1fr)',
  calls: '34px',
  tokens: '42px',
  cost: '62px',
  latency: '46px',
};

/** Minimum width of a column in pixels. */
const minWidth = 40;

/** The grid columns: selection, status, evaluation, then the visible ones. */
export function columnTracks(columns: Columns): string {
  const rest = visibleColumns(columns).map((id) => {
    const width = columns.widths[id];
    return width === undefined ? tracks[id] : `minmax(0, ${Math.round(width)}px)`;
  });
  return ['14px', '14px', 'minmax(150px, 1.5fr)', ...rest].join(' ');
}

/** Moves a column before or after its visible neighbour. */
export function moveColumn(columns: Columns, id: ColumnId, by: -1 | 1): Columns {
  const visible = visibleColumns(columns);
  const neighbour = visible[visible.indexOf(id) + by];
  if (neighbour === undefined) return columns;
  const order = columns.order.filter((other) => other !== id);
  order.splice(order.indexOf(neighbour) + (by === 1 ? 1 : 0), 0, id);
  return { ...columns, order };
}

/**
 * Moves the edge between two columns: one gets wider by as much as the other gets narrower. `left` is absent for
 * the evaluation, which takes the remaining width.
 */
export function moveEdge(
  columns: Columns,
  left: readonly [ColumnId, number] | undefined,
  right: readonly [ColumnId, number] | undefined,
  by: number,
): Columns {
  const most = right === undefined ? 0 : right[1] - minWidth;
  const least = left === undefined ? -400 : minWidth - left[1];
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
