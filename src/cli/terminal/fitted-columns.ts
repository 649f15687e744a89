import { renderColumns } from './table.js';
import { fitWidth, widthOf } from './terminal-text.js';

/** A column of a table that must fit a terminal. */
export interface FittedColumn {
  readonly title: string;
  /** One line of text per row, escaped for a terminal. */
  readonly cells: readonly string[];
  readonly align?: 'right';
  /** Columns with the lowest rank are dropped first when there is no room; columns without a rank stay. */
  readonly rank?: number;
  /** Cells may be cut to this width if there is still no room. */
  readonly shrinkTo?: number;
}

const indent = '  ';
const gap = 3;

/** Renders a table without borders, indented by two; no line is wider than `width` (unlimited if missing). */
export function renderFittedColumns(
  columns: readonly FittedColumn[],
  width = Number.POSITIVE_INFINITY,
): string {
  const shown = shrink(leaveOut(columns.map(measure), width), width).map(pad);
  const rows = shown[0]?.cells.map((_, row) => shown.map(({ cells }) => cells[row] ?? '')) ?? [];
  const table = renderColumns(
    shown.map(({ title }) => title),
    rows,
  );
  return table
    .split('\n')
    .map((line) => indent + line)
    .join('\n');
}

interface Measured extends FittedColumn {
  readonly width: number;
}

function measure(column: FittedColumn): Measured {
  const widths = [column.title, ...column.cells].map(widthOf);
  return { ...column, width: widths.reduce((a, b) => Math.max(a, b), 0) };
}

function leastWidth({ title, width, shrinkTo }: Measured): number {
  return Math.max(widthOf(title), Math.min(width, shrinkTo ?? width));
}

function total(widths: readonly number[]): number {
  return widths.reduce((a, b) => a + b, 0) + gap * (widths.length - 1) + indent.length;
}

function leaveOut(columns: readonly Measured[], width: number): readonly Measured[] {
  if (total(columns.map(leastWidth)) <= width) return columns;
  const ranks = columns.flatMap(({ rank }) => rank ?? []);
  if (ranks.length === 0) return columns;
  const lowest = Math.min(...ranks);
  return leaveOut(
    columns.filter(({ rank }) => rank !== lowest),
    width,
  );
}

/** Takes the missing width from the columns that may shrink, the widest first. */
function shrink(columns: readonly Measured[], width: number): readonly Measured[] {
  const widths = columns.map((column) => column.width);
  for (let missing = total(widths) - width; missing > 0; missing -= 1) {
    let widest = -1;
    for (const [position, column] of columns.entries()) {
      const current = widths[position] ?? 0;
      if (current > leastWidth(column) && current > (widths[widest] ?? 0)) widest = position;
    }
    if (widest === -1) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return columns.map((column, position) => {
    const to = widths[position] ?? column.width;
    if (to === column.width) return column;
    return { ...column, width: to, cells: column.cells.map((cell) => fitWidth(cell, to)) };
  });
}

function pad(column: Measured): Measured {
  if (column.align !== 'right') return column;
  const padded = (text: string) => ' '.repeat(column.width - widthOf(text)) + text;
  return { ...column, title: padded(column.title), cells: column.cells.map(padded) };
}
