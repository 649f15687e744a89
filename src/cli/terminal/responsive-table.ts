import type { ChalkInstance } from 'chalk';
import { type Cell, layOutTable, shareWidths } from './table.js';
import { fitWidth, widthOf } from './terminal-text.js';

/** A column of a table that must fit a terminal; its cells are already escaped. */
export interface TableColumn {
  readonly title: string;
  readonly cells: readonly Cell[];
  readonly align?: 'right';
  /** Columns with the lowest rank are dropped first when there is no room; columns without a rank stay. */
  readonly rank?: number;
  /** Cells may be cut to this width if there is still no room. */
  readonly shrinkTo?: number;
  /** Where cells are cut. Default: at the end. */
  readonly cut?: 'start' | 'end';
}

const indent = '  ';

/** Renders a table without borders, indented by two, at most `width` columns wide; empty columns are dropped. */
export function renderTable(
  columns: readonly TableColumn[],
  width: number,
  colours: ChalkInstance,
): string[] {
  const gap = width >= 100 ? '   ' : '  ';
  const filled = columns.filter(({ cells }) => cells.some(({ text }) => text !== ''));
  const shown = leaveOut(filled, width - indent.length, gap.length);
  const naturals = shown.map(naturalWidth);
  const shared = shown.map(({ shrinkTo }, at) => ({
    natural: naturals[at] ?? 0,
    weight: shrinkTo === undefined ? 0 : 1,
  }));
  const widths = shareWidths(shared, width - indent.length - gap.length * (shown.length - 1));
  const fitCell = (cell: Cell, at: number): Cell => {
    const column = widths[at] ?? 0;
    const text = fitWidth(cell.text, column, shown[at]?.cut);
    const isRight = shown[at]?.align === 'right';
    return { ...cell, text: isRight ? ' '.repeat(column - widthOf(text)) + text : text };
  };
  const titles = shown.map(({ title }, at) => fitCell({ text: title, paint: colours.dim }, at));
  const rows = (shown[0]?.cells ?? []).map((_, row) =>
    shown.map(({ cells }, at) => fitCell(cells[row] ?? { text: '' }, at)),
  );
  return layOutTable([titles, ...rows], gap).map((line) => indent + line);
}

function naturalWidth({ title, cells }: TableColumn): number {
  return cells.reduce((widest, { text }) => Math.max(widest, widthOf(text)), widthOf(title));
}

function leastWidth(column: TableColumn): number {
  return Math.min(naturalWidth(column), column.shrinkTo ?? Number.POSITIVE_INFINITY);
}

function leaveOut(
  columns: readonly TableColumn[],
  width: number,
  gap: number,
): readonly TableColumn[] {
  const least = columns.reduce((sum, column) => sum + leastWidth(column) + gap, -gap);
  const ranks = columns.flatMap(({ rank }) => rank ?? []);
  if (least <= width || ranks.length === 0) return columns;
  const lowest = Math.min(...ranks);
  return leaveOut(
    columns.filter(({ rank }) => rank !== lowest),
    width,
    gap,
  );
}
