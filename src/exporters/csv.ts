import { stringify } from 'csv-stringify/sync';
import { AssayError } from '../errors.js';
import type { ReadableRun } from '../model/readable-run.js';
import { chunkLength } from './chunks.js';
import { allColumns, type CellValue, type Column, cellText, resolveColumns } from './columns.js';
import type { Exporter } from './exporter.js';
import { knownIndices } from './known-indices.js';
import { stoppedOf } from './left-out.js';

/**
 * A table according to RFC 4180 with a header and a row for each result: commas, CRLF, no byte order mark. Strings
 * are unchanged, structures are JSON, and `null` is an empty cell. Text that a spreadsheet would read as a formula
 * gets a leading `'`, unless `raw` is set; numbers stay numbers.
 */
export const csvExporter: Exporter<'csv'> = {
  format: 'csv',
  contentType: 'text/csv; charset=utf-8',
  extension: 'csv',
  render: (run, options = {}) => {
    const columns =
      options.columns === undefined
        ? allColumns(run.scoreChips)
        : resolveColumns(options.columns, run.scoreChips);
    if (columns.length === 0) {
      throw new AssayError('usage', 'A CSV export needs at least one column.');
    }
    const indices = knownIndices(options.indices, run.head.total_evaluations);
    return rows(run, columns, indices, options.raw ?? false);
  },
  leftOut: (run, { columns, indices } = {}) => {
    const isSpendingShown = columns?.some((name) => spending.has(name)) ?? true;
    return isSpendingShown && indices === undefined ? stoppedOf(run) : {};
  },
};

/** Columns with what a run spent. */
const spending = new Set(['calls', 'tokens', 'cost']);

async function* rows(
  run: ReadableRun,
  columns: readonly Column[],
  indices: readonly number[] | undefined,
  raw: boolean,
): AsyncGenerator<string> {
  let records: string[][] = [columns.map((column) => column.name)];
  let length = 0;
  for await (const { entry } of run.entries(indices)) {
    const record = columns.map((column) => csvText(column.read(entry), raw));
    records.push(record);
    for (const text of record) length += text.length + 1;
    if (length >= chunkLength) {
      yield toCsv(records);
      records = [];
      length = 0;
    }
  }
  if (records.length > 0) yield toCsv(records);
}

/** The lines of a table. */
export function toCsv(records: readonly string[][]): string {
  // Without the second option, a lone line feed or carriage return in a cell is not quoted.
  return stringify([...records], { record_delimiter: '\r\n', quote_record_delimiter: true });
}

// `escape_formulas` of csv-stringify lacks NUL and line feed. The last four are the full-width forms of = + - @,
// which some spreadsheets treat like the plain ones.
const formulaStart = new Set('=+-@\t\r\n\0\uff1d\uff0b\uff0d\uff20');

/** A cell; a text that a spreadsheet would read as a formula gets a leading `'`, unless it is `raw`. */
export function csvText(value: CellValue, raw: boolean): string {
  const text = cellText(value);
  const first = text[0];
  const isFormula = typeof value === 'string' && first !== undefined && formulaStart.has(first);
  return isFormula && !raw ? `'${text}` : text;
}
