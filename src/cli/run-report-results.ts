import type { ResultEntry } from '../model/result.js';
import { renderCount } from './figures.js';
import { exportCommand, type RunReportOptions } from './run-report-options.js';
import { nameCell, resultCells, standingOf } from './run-report-rows.js';
import { type Selection, selectShown } from './run-report-selection.js';
import { type Cell, columnWidths, layOutTable } from './run-report-table.js';
import { shareWidths } from './run-report-widths.js';
import { fitWidth } from './terminal-text.js';

const head = ['  evaluation', 'score', 'latency', 'input', 'output'];
// Never cut: how long a result took. The others share what is left.
const weights = [2, 1, 0, 2, 2];

/** The table of results. */
export function renderResults(indices: readonly number[], options: RunReportOptions): string[] {
  const { run, columns, colours } = options;
  const selection = selectShown(indices, (index) => {
    const row = run.rows[index];
    return row === undefined ? 'not finished' : standingOf(row);
  });
  const entries = selection.shown.map((index) => run.entry(index));
  if (entries.length === 0) return [];
  const nameOf = nameEntries(entries);
  const rows = entries.map((entry) => [
    nameCell(standingOf(entry.result), nameOf(entry), colours),
    ...resultCells(entry, columns, colours),
  ]);
  const titles = head.map((text) => ({ text, paint: colours.dim }));
  return [...fitTable([titles, ...rows], columns), ...moreLines(selection, options)];
}

/** The lines that say how much is not shown. */
export function moreLines(
  { moreErrors, moreFailed }: Selection<unknown>,
  options: RunReportOptions,
): string[] {
  const counts = [
    ...(moreErrors === 0 ? [] : [`${renderCount(moreErrors)} more with errors`]),
    ...(moreFailed === 0 ? [] : [`${renderCount(moreFailed)} more failed`]),
  ];
  if (counts.length === 0) return [];
  const text = `  … ${counts.join(', ')}`;
  const withCommand = `${text}: ${exportCommand(options)}`;
  const fits = options.saved !== false && withCommand.length <= options.columns;
  return [fits ? withCommand : text];
}

function fitTable(rows: readonly (readonly Cell[])[], columns: number): string[] {
  const gap = columns >= 80 ? '   ' : '  ';
  const natural = columnWidths(rows);
  const room = columns - 2 - gap.length * (head.length - 1);
  const shared = natural.map((width, at) => ({ natural: width, weight: weights[at] ?? 1 }));
  const widths = shareWidths(shared, room);
  const fitted = rows.map((row) => row.map((cell, at) => fitCell(cell, widths[at] ?? 0, at === 0)));
  return layOutTable(fitted, gap).map((line) => `  ${line}`.trimEnd());
}

/** Names are cut in front when they are ids with a path: their end tells them apart. */
function fitCell(cell: Cell, width: number, isName: boolean): Cell {
  const isId = isName && cell.text.includes('::');
  const text = isId
    ? cell.text.slice(0, 2) + fitWidth(cell.text.slice(2), width - 2, 'start')
    : fitWidth(cell.text, width);
  return { ...cell, text };
}

/** The name of an evaluation, or its id where the name alone would mean two of them. */
function nameEntries(entries: readonly ResultEntry[]): (entry: ResultEntry) => string {
  const counts = new Map<string, number>();
  for (const entry of entries) counts.set(entry.function, (counts.get(entry.function) ?? 0) + 1);
  return (entry) => ((counts.get(entry.function) ?? 0) > 1 ? entry.id : entry.function);
}
