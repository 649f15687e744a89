import { hasCalls } from '../model/calls/run-usage.js';
import type { ReadableRun } from '../model/readable-run.js';
import { joinChunks } from './chunks.js';
import { type Column, resolveColumns } from './columns.js';
import type { Exporter, ExportOptions } from './exporter.js';
import { knownIndices } from './known-indices.js';
import { renderTableHead, renderTableRow } from './markdown-cells.js';
import { renderSummary } from './markdown-summary.js';

/**
 * A report: title, session, counts, a bar for each score, and a table of the chosen rows and columns (none if
 * `columns` is empty). Text that an evaluation produced is escaped; cells longer than 200 characters are cut.
 */
export const markdownExporter: Exporter<'md'> = {
  format: 'md',
  contentType: 'text/markdown; charset=utf-8',
  extension: 'md',
  render: (run, options = {}) => {
    const columns = resolveColumns(options.columns ?? defaultColumns(run), run.scoreChips);
    return joinChunks(pieces(run, columns, options));
  },
};

async function* pieces(
  run: ReadableRun,
  columns: readonly Column[],
  options: ExportOptions,
): AsyncGenerator<string> {
  const indices = knownIndices(options.indices, run.head.total_evaluations);
  yield renderSummary(run, options, indices);
  if (columns.length === 0) return;
  yield renderTableHead(columns);
  for await (const { entry } of run.entries(indices)) yield renderTableRow(columns, entry);
}

function defaultColumns(run: ReadableRun): string[] {
  const trial = run.head.trials === undefined ? [] : ['trial'];
  const rest = ['input', 'output', 'reference', 'scores', 'status', 'error', 'latency'];
  const usage = hasCalls(run.head.usage) ? ['calls', 'tokens', 'cost'] : [];
  return ['eval', ...trial, 'dataset', ...rest, ...usage];
}
