import { AssayError } from '../errors.js';
import { withCalls } from '../model/calls/stored-calls.js';
import type { ReadableRun } from '../model/readable-run.js';
import { withoutKept } from '../model/result.js';
import type { RunHead } from '../model/run.js';
import { selectResults } from '../model/select-results.js';
import { joinChunks } from './chunks.js';
import type { Exporter, ExportOptions } from './exporter.js';
import { knownIndices } from './known-indices.js';

const headFields = [
  'run_id',
  'session_name',
  'run_name',
  'created_at',
  'started_at',
  'updated_at',
  'path',
  'config_name',
  'params',
  'shard',
  'group',
  'group_runs',
  'total_evaluations',
  'total_pruned',
  'total_functions',
  'total_passed',
  'total_errors',
  'total_with_scores',
  'average_latency',
  'summary',
  'trials',
  'pass_at_k',
  'pass_all_k',
  'trial_statistics',
  'code_versions',
  'repeats',
  'verified',
  'mixed',
  'grading_noise',
  'usage',
  'prices',
  'waited',
  'max_cost',
  'commit',
  'dirty',
  'unlisted_cost',
  'outcome',
  'state',
  'part_of',
] as const satisfies readonly (keyof RunHead)[];

/** Fields of a run JSON beside the run and its results. */
export interface RunJsonOptions {
  /** Further fields of the head. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Each result with its calls. Default: false. */
  readonly calls?: boolean | undefined;
  /** Each result with what JSON does not keep of its values, for an import. Default: false. */
  readonly kept?: boolean | undefined;
}

/**
 * Renders the run JSON in chunks of about 64,000 characters: one line per field of the head, then those of `extra`,
 * then one line per result.
 */
export function renderRunJson(
  run: ReadableRun,
  options: RunJsonOptions = {},
): AsyncIterable<string> {
  return joinChunks(pieces(run, options));
}

/** Exports the run JSON as a document, without extra fields. */
export const jsonExporter: Exporter<'json'> = {
  format: 'json',
  contentType: 'application/json; charset=utf-8',
  extension: 'json',
  render: (run, options = {}) => {
    rejectTableOptions(options, 'A JSON export');
    const exported = selectResults(
      run,
      knownIndices(options.indices, run.rows.length),
      options.countsOnly,
    );
    // A part has other indices, and is no run that samples were drawn from.
    const { review, corrected = [] } = options.indices === undefined ? run : {};
    const extra = { review, ...(corrected.length > 0 && { corrected }) };
    return renderRunJson(exported, { extra, calls: options.calls, kept: true });
  },
};

async function* pieces(
  run: ReadableRun,
  { extra = {}, calls = false, kept = false }: RunJsonOptions,
): AsyncGenerator<string> {
  yield '{\n';
  for (const field of headFields) yield renderField(field, run.head[field]);
  for (const [field, value] of Object.entries(extra)) yield renderField(field, value);
  yield '  "results": [';
  let separator = '\n    ';
  for await (const { entry: whole, index } of run.entries()) {
    const entry = kept ? whole : withoutKept(whole);
    yield separator + JSON.stringify(calls ? withCalls(entry, run.trace(index)) : entry);
    separator = ',\n    ';
  }
  yield separator.startsWith(',') ? '\n  ]\n}\n' : ']\n}\n';
}

function renderField(field: string, value: unknown): string {
  return value === undefined ? '' : `  "${field}": ${JSON.stringify(value)},\n`;
}

/** Error: `usage` for the columns of a table. */
export function rejectTableOptions({ columns }: ExportOptions, what: string): void {
  if (columns === undefined) return;
  throw new AssayError('usage', `${what} has no columns to choose.`, {
    hints: ['Choose csv or md to export some of its columns'],
  });
}
