import { useSyncExternalStore } from 'react';

/** Columns that can be hidden; selection, status and evaluation are always there. */
export const columnIds = ['input', 'reference', 'output', 'scores', 'error', 'latency'] as const;
export type ColumnId = (typeof columnIds)[number];

/** Names as they stand in the head of the table. */
export const columnNames: Readonly<Record<ColumnId, string>> = {
  input: 'Input',
  reference: 'Reference',
  output: 'Output',
  scores: 'Scores',
  error: 'Error',
  latency: 'Latency',
};

/** How the columns stand, kept per browser. */
export interface Columns {
  /** All of them, in their order. */
  readonly order: readonly ColumnId[];
  readonly hidden: readonly ColumnId[];
  /** Pixels, of columns whose width was set by hand. */
  readonly widths: Readonly<Partial<Record<ColumnId, number>>>;
}

/** The output cell shows errors, so the column of its own is hidden at first. */
export const firstColumns: Columns = { order: columnIds, hidden: ['error'], widths: {} };

const key = 'assay.columns';
const watchers = new Set<() => void>();
let columns = load();

function load(): Columns {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? 'null') as Partial<Columns> | null;
    if (kept === null) return firstColumns;
    const known = (ids: unknown): ColumnId[] =>
      Array.isArray(ids) ? columnIds.filter((id) => ids.includes(id)) : [];
    const order = Array.isArray(kept.order)
      ? kept.order.filter((id, n, all) => columnIds.includes(id) && all.indexOf(id) === n)
      : [];
    return {
      order: [...order, ...columnIds.filter((id) => !order.includes(id))],
      hidden: known(kept.hidden),
      widths: readWidths(kept.widths),
    };
  } catch {
    return firstColumns;
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

/** Sets how the columns stand, and keeps it. */
export function setColumns(next: Columns): void {
  columns = next;
  try {
    localStorage.setItem(key, JSON.stringify(next));
  } catch {
    // Then it holds for this page only.
  }
  for (const watcher of watchers) watcher();
}

/** How the columns stand now. */
export function readColumns(): Columns {
  return columns;
}

/** How the columns stand. */
export function useColumns(): Columns {
  return useSyncExternalStore((watcher) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  }, readColumns);
}

/** The columns in sight, in their order. */
export function visibleColumns({ order, hidden }: Columns): readonly ColumnId[] {
  return order.filter((id) => !hidden.includes(id));
}
