import { CsvError, type Info, parse } from 'csv-parse/sync';
import type { TextPosition } from '../../text/text-position.js';
import { CaseFileError } from './case-file-error.js';
import type { ParsedRows } from './rows-to-cases.js';

interface Line {
  readonly info: Info;
  readonly record: readonly string[];
}

interface CsvSettings {
  readonly delimiter?: string | undefined;
  readonly map?: unknown;
}

/** The rows of CSV text: objects of strings by column, or cases if there is no `map`. */
export function readCsv(text: string, file: string, settings: CsvSettings): ParsedRows {
  const delimiter = settings.delimiter ?? ',';
  const parsed = parseLines(text, file, delimiter);
  const [header, ...records] = parsed.map((line) => line.record);
  if (header === undefined) {
    throw new CaseFileError(file, undefined, 'it is empty; its first row must name the columns');
  }
  const columns = header.map((name) => name.trim());
  checkColumns(columns, file);
  const at = (index: number, field: number) => {
    // The parser counts CRLF inside quotes as two lines, and CR as none.
    const lines = parseLines(unixLines(text), file, delimiter);
    return position(lines[index + 1], field);
  };
  const lines = () => {
    const unix = text.includes('\r') ? parseLines(unixLines(text), file, delimiter) : parsed;
    return unix.slice(1).map((line) => position(line, 0).line);
  };
  const rows = records.map((record, index) => {
    if (record.length === columns.length) return toRow(record, columns);
    const reason = `fields in this row: ${record.length}, columns in the first row: ${columns.length}`;
    throw new CaseFileError(file, at(index, Math.min(record.length, columns.length)), reason);
  });
  return {
    rows: settings.map === undefined ? rows.map(toCase) : rows,
    locate: (index, field) => at(index, field === undefined ? 0 : columns.indexOf(field)),
    lines,
  };
}

function parseLines(text: string, file: string, delimiter: string): Line[] {
  try {
    return parse(text, {
      delimiter,
      // Each of them ends a row: by itself, the parser takes those of the first row only.
      record_delimiter: ['\r\n', '\n', '\r'],
      info: true,
      relax_column_count: true, // readCsv says it in terms of columns
      skip_empty_lines: true,
    }) as unknown as Line[]; // the types do not know what `info` does
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // Parses again, for the same reason as above; it fails again.
    if (text.includes('\r')) return parseLines(unixLines(text), file, delimiter);
    const line = Number(/at line (\d+)/.exec(error.message)?.[1] ?? 1);
    const column = typeof error.column === 'number' ? error.column + 1 : 1;
    throw new CaseFileError(file, { line, column }, `it is not CSV: ${error.message}`, error);
  }
}

function unixLines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

function checkColumns(columns: readonly string[], file: string): void {
  for (const [index, name] of columns.entries()) {
    const at = { line: 1, column: index + 1 };
    if (name === '') throw new CaseFileError(file, at, `column ${index + 1} has no name`);
    if (columns.indexOf(name) < index) {
      throw new CaseFileError(file, at, `two columns are named ${JSON.stringify(name)}`);
    }
  }
}

function toRow(record: readonly string[], columns: readonly string[]): Record<string, string> {
  return Object.fromEntries(columns.map((name, index) => [name, record[index] ?? '']));
}

function toCase(row: Record<string, string>): Record<string, unknown> {
  const { id, dataset, labels, ...rest } = row;
  const words = labels
    ?.split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  return {
    ...rest,
    ...(id && { id }),
    ...(dataset && { dataset }),
    ...(words !== undefined && { labels: words }),
  };
}

// In CSV the column is the field's, from 1; the parser gives the line on which a row ends.
function position(line: Line | undefined, field: number): TextPosition {
  if (line === undefined) return { line: 1, column: 1 };
  const breaks = line.record.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
  return { line: line.info.lines - breaks, column: Math.max(field, 0) + 1 };
}
