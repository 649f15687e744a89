import { stringify } from 'csv-stringify/sync';
import { AssayError } from '../errors.js';
import type { ReadableRun } from '../model/readable-run.js';
import { chunkLength } from './chunks.js';
import { allColumns, type CellValue, type Column, cellText, resolveColumns } from './columns.js';
import type { Exporter } from './exporter.js';
import { knownIndices } from './known-indices.js';

/**
 * A table with a header and a row for each result, as RFC 4180 has it: commas, CRLF, no byte order mark.
 * Strings are written as they are, structures as JSON, `null` as an empty cell. Text that a spreadsheet
 * would take for a formula gets a leading `'` unless `raw` is set; numbers stay numbers.
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
};

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

function toCsv(records: readonly string[][]): string {
  // Without the second option a lone line feed or carriage return inside a cell is left unquoted.
  return stringify([...records], { record_delimiter: '\r\n', quote_record_delimiter: true });
}

// Of csv-stringify's own `escape_formulas`, NUL and line feed are missing. The last four are the
// full-width forms of = + - @, which some spreadsheets read like the plain ones.
const formulaStart = new Set('=+-@\t\r\n\0\uff1d\uff0b\uff0d\uff20');

function csvText(value: CellValue, raw: boolean): string {
  const text = cellText(value);
  const first = text[0];
  const isFormula = typeof value === 'string' && first !== undefined && formulaStart.has(first);
  return isFormula && !raw ? `'${text}` : text;
}
