import type { ResultEntry } from '../../model/result.js';
import { renderCount } from '../../text/count-text.js';
import {
  type Cell,
  columnWidths,
  layOutTable,
  layOutWhole,
  shareWidths,
} from '../terminal/table.js';
import { fitNames, fitWidth } from '../terminal/terminal-text.js';
import { exportCommand, type RunReportOptions } from './report-options.js';
import {
  nameCell,
  resultCells,
  type ShownRows,
  selectShown,
  shownStandingOf,
} from './report-rows.js';

/** A column of the table, by its index among the cells of a row. */
interface Column {
  readonly at: number;
  readonly title: string;
  /** Share of the remaining width; 0 for a column that is never cut, such as the latency. */
  readonly weight: number;
}

const [name, score, latency, input, output, reference] = [
  { at: 0, title: '  evaluation', weight: 3 },
  { at: 1, title: 'score', weight: 1 },
  { at: 2, title: 'latency', weight: 0 },
  { at: 3, title: 'input', weight: 2 },
  { at: 4, title: 'output', weight: 2 },
  { at: 5, title: 'reference', weight: 2 },
] as const;
// Narrower terminals have no room for the input beside output and reference.
const roomForInput = 100;
// Longer values are unreadable even on unlimited lines.
const longestPreview = 500;

/** Renders the table of results. */
export function renderResults(indices: readonly number[], options: RunReportOptions): string[] {
  const { run, columns, colours } = options;
  const selection = selectShown(indices, (index) => {
    const row = run.rows[index];
    return row === undefined ? 'not finished' : shownStandingOf(row);
  });
  const entries = selection.shown.map((index) => run.entry(index));
  if (entries.length === 0) return [];
  const nameOf = nameEntries(entries);
  const shown = shownColumns(entries, columns);
  const rows = entries.map((entry) => {
    const cells = [
      nameCell(shownStandingOf(entry.result), nameOf(entry), colours),
      ...resultCells(entry, Math.min(columns, longestPreview), colours),
    ];
    return shown.flatMap(({ at }) => cells[at] ?? []);
  });
  const titles = shown.map(({ title }) => ({ text: title, paint: colours.dim }));
  const table = [titles, ...rows];
  const gap = gapOf(columns);
  const lines =
    columns === Number.POSITIVE_INFINITY
      ? layOutWhole(table, gap)
      : layOutTable(fitCells(table, shown, columns), gap);
  return [...lines.map((line) => `  ${line}`.trimEnd()), ...moreLines(selection, options)];
}

function shownColumns(entries: readonly ResultEntry[], columns: number): readonly Column[] {
  const hasReference = entries.some(({ result }) => result.reference !== null);
  if (!hasReference) return [name, score, latency, input, output];
  return columns < roomForInput
    ? [name, score, latency, output, reference]
    : [name, score, latency, input, output, reference];
}

/** The lines that count the results that are not shown. */
export function moreLines(
  { moreErrors, moreFailed }: ShownRows<unknown>,
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

function gapOf(columns: number): string {
  return columns >= 80 ? '   ' : '  ';
}

function fitCells(
  rows: readonly (readonly Cell[])[],
  shown: readonly Column[],
  columns: number,
): Cell[][] {
  const natural = columnWidths(rows);
  const room = columns - 2 - gapOf(columns).length * (shown.length - 1);
  const shared = shown.map(({ weight }, at) => ({ natural: natural[at] ?? 0, weight }));
  const widths = shareWidths(shared, room);
  const names = fitNames(
    rows.map(([cell]) => cell?.text.slice(2) ?? ''),
    (widths[0] ?? 0) - 2,
  );
  return rows.map((row, line) =>
    row.map((cell, at) => ({
      ...cell,
      text: at === 0 ? cell.text.slice(0, 2) + names[line] : fitWidth(cell.text, widths[at] ?? 0),
    })),
  );
}

/** The name of a result, or its id if the name is ambiguous. */
function nameEntries(entries: readonly ResultEntry[]): (entry: ResultEntry) => string {
  const counts = new Map<string, number>();
  for (const entry of entries) counts.set(entry.function, (counts.get(entry.function) ?? 0) + 1);
  return (entry) => ((counts.get(entry.function) ?? 0) > 1 ? entry.id : entry.function);
}
