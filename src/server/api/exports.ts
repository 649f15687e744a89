import { createHash } from 'node:crypto';
import { z } from 'zod';
import { fixedColumnNames } from '../../exporters/columns.js';
import type { ExportOptions } from '../../exporters/exporter.js';
import { type ExportFormat, findExporter } from '../../exporters/index.js';
import { renderRunJson } from '../../exporters/json.js';
import type { StoredRun } from '../../store/stored-run.js';
import { leftOutText } from '../../text/usage-text.js';
import { defineRoute, type Route, type TextAnswer } from '../http/route.js';
import type { Workspace } from '../workspace/workspace.js';
import { runJson } from './run.js';
import { sentScoreChip } from './score.js';
import { count, flagParameter, optional, runParams, withoutNulls } from './values.js';

const tag = 'Export';
const maxBody = 8 * 1024 * 1024;

const leftOutHeader =
  'The header `Assay-Left-Out` says what attempts without a row spent (`Not in it: 3 calls, $0.10 of stopped attempts`); absent for nothing.';

/** Runs as files to save. */
export function exportRoutes(workspace: Workspace): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/runs/{run_id}/export/json',
      operation: 'exportJson',
      tag,
      summary: 'A run as JSON, as `assay export -f json` writes it.',
      params: runParams,
      query: callsQuery,
      answer: {
        description:
          'The file `<run_id>.json`: a RunData without `score_chips`, `eval_path` and the fields of the active run.',
        schema: runJson,
        headers: ['Content-Disposition', 'ETag'],
      },
      handle: async ({ params, query, onEnd }) =>
        exportAnswer(await workspace.read(params.run_id, onEnd), 'json', { calls: query.calls }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/runs/{run_id}/export/otlp',
      operation: 'exportOtlp',
      tag,
      summary: 'A run as OpenTelemetry traces, as `assay export -f otlp` writes it.',
      params: runParams,
      query: callsQuery,
      answer: {
        description: `The file \`<run_id>.otlp.jsonl\`: lines of OTLP JSON. ${leftOutHeader}`,
        contentType: 'application/x-ndjson',
        headers: ['Content-Disposition', 'ETag'],
      },
      handle: async ({ params, query, onEnd }) =>
        exportAnswer(await workspace.read(params.run_id, onEnd), 'otlp', { calls: query.calls }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/runs/{run_id}/export/csv',
      operation: 'exportCsv',
      tag,
      summary: 'Every result of a run as CSV, as `assay export -f csv` writes it.',
      params: runParams,
      query: csvQuery,
      answer: {
        description: `The file \`<run_id>.csv\`. ${leftOutHeader}`,
        contentType: 'text/csv',
        headers: ['Content-Disposition', 'ETag'],
      },
      handle: async ({ params, query, onEnd }) =>
        exportAnswer(await workspace.read(params.run_id, onEnd), 'csv', { raw: query.raw }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/runs/{run_id}/export/part/json',
      operation: 'exportJsonPart',
      tag,
      summary: 'Some results of a run as JSON, with the figures of these.',
      description: '`part_of` is the number of results of the run. The body may have 8 MiB.',
      params: runParams,
      body: jsonPartBody,
      maxBody,
      answer: {
        description: 'The file `<run_id>-part.json`.',
        schema: runJson,
        headers: ['Content-Disposition'],
      },
      handle: async ({ params, body, onEnd }) => {
        const { visible_indices: indices, calls } = body;
        const run = await workspace.read(params.run_id, onEnd);
        return partAnswer(run, 'json', { indices, calls, countsOnly: isCountsOnly(run, body) });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/runs/{run_id}/export/part/csv',
      operation: 'exportCsvPart',
      tag,
      summary: 'Some results and columns of a run as CSV.',
      description: 'An unknown column: 400. The body may have 8 MiB.',
      params: runParams,
      body: csvPartBody,
      maxBody,
      answer: {
        description: 'The file `<run_id>-part.csv`.',
        contentType: 'text/csv',
        headers: ['Content-Disposition'],
      },
      handle: async ({ params, body, onEnd }) => {
        const { visible_indices: indices, visible_columns: columns, raw } = body;
        const run = await workspace.read(params.run_id, onEnd);
        return partAnswer(run, 'csv', { indices, columns, raw });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/runs/{run_id}/export/markdown',
      operation: 'exportMarkdown',
      tag,
      summary: 'A Markdown report with bar charts and a table of the chosen rows and columns.',
      description: 'An unknown column or a missing key: 400. The body may have 8 MiB.',
      params: runParams,
      body: markdownBody,
      maxBody,
      answer: {
        description: 'The file `<run_id>.md`.',
        contentType: 'text/markdown',
        headers: ['Content-Disposition'],
      },
      handle: async ({ params, body, onEnd }) =>
        markdownAnswer(await workspace.read(params.run_id, onEnd), body),
    }),
  ];
}

function partAnswer(run: StoredRun, format: 'json' | 'csv', options: ExportOptions): TextAnswer {
  const { contentType, extension, render } = findExporter(format);
  const pieces = render(run.snapshot(), options);
  return { kind: 'text', contentType, pieces, fileName: `${run.runId}-part.${extension}` };
}

/** True for a part of a run unless the request says that no outcome has decided which results are in it. */
function isCountsOnly(
  { rows }: StoredRun,
  body: { readonly visible_indices: readonly number[]; readonly with_rates?: boolean | undefined },
): boolean {
  if (body.with_rates === true) return false;
  const chosen = new Set(body.visible_indices);
  return rows.some((_, index) => !chosen.has(index));
}

function markdownAnswer(run: StoredRun, body: z.output<typeof markdownBody>): TextAnswer {
  const { contentType, extension, render } = findExporter('md');
  const pieces = render(run.snapshot(), {
    indices: body.visible_indices,
    columns: body.visible_columns,
    countsOnly: isCountsOnly(run, body),
    stats: body.stats,
    runName: body.run_name,
    sessionName: body.session_name,
  });
  return { kind: 'text', contentType, pieces, fileName: `${run.runId}.${extension}` };
}

/** Run JSON with the additional fields of the API. */
export function runDataAnswer(workspace: Workspace, run: StoredRun): TextAnswer {
  const snapshot = run.snapshot();
  const extra = {
    score_chips: snapshot.scoreChips,
    eval_path: snapshot.head.path,
    ...(run.runId === workspace.activeId ? activeFields(workspace, run) : {}),
  };
  return {
    kind: 'text',
    contentType: findExporter('json').contentType,
    pieces: renderRunJson(snapshot, { extra }),
    version: versionWith(run, [snapshot.head.state, extra]),
  };
}

/** A run as a download, byte for byte the same as from the command line. */
export function exportAnswer(
  run: StoredRun,
  format: ExportFormat,
  options: Pick<ExportOptions, 'raw' | 'calls'> = {},
): TextAnswer {
  const { contentType, extension, render, leftOut } = findExporter(format);
  const snapshot = run.snapshot();
  return {
    kind: 'text',
    contentType,
    pieces: render(snapshot, options),
    fileName: `${run.runId}.${extension}`,
    leftOut: leftOutText(leftOut?.(snapshot, options) ?? {}),
    version: versionWith(run, [snapshot.head.state, options]),
  };
}

function activeFields(workspace: Workspace, run: StoredRun) {
  return {
    is_paused: workspace.isPaused(run),
    selected_total: run.selectedTotal,
    discovery_error: workspace.discoveryProblem(run)?.message,
  };
}

/** The version of an answer that contains more than the log of the run. */
function versionWith(run: StoredRun, more: unknown): string {
  const digest = createHash('sha256').update(JSON.stringify(more)).digest('hex');
  return `${run.version}-${digest.slice(0, 12)}`;
}

const columnName = z.string().meta({
  override: {
    anyOf: [
      { enum: ['eval', ...fixedColumnNames] },
      { pattern: '^(score:|(metadata|input|output|reference)[.[])' },
    ],
  },
});

/** `?raw=true` writes a CSV for programs. */
export const csvQuery = z.object({
  raw: flagParameter(
    'Do not escape text that a spreadsheet would treat as a formula, like `assay export --raw`. Default: false.',
  ),
});

/** `?calls=true` also writes messages. */
export const callsQuery = z.object({
  calls: flagParameter(
    'With the texts of HTTP calls, as `assay export --calls` writes them. Default: false.',
  ),
});

const visibleIndices = z.array(z.int());
const visibleColumns = z.array(columnName);

const withRates = {
  with_rates: optional(z.boolean()).meta({
    description:
      'With rates and intervals: only what was planned decided which results these are (their dataset, label, evaluation, file, input, reference or authored metadata), and not what came of them. Default: only if they are all results.',
  }),
};

const chosen = {
  visible_indices: visibleIndices.meta({
    description: 'Results, in this order. Positions the run does not have are ignored.',
  }),
};

/** Some results as JSON. */
export const jsonPartBody = z
  .object({
    ...chosen,
    ...withRates,
    calls: optional(z.boolean()).meta({
      description: 'With the texts of HTTP calls. Default: false.',
    }),
  })
  .meta({ id: 'JsonPartRequest', description: 'Other keys are ignored.' })
  .transform(withoutNulls);

/** Some results and columns as CSV. */
export const csvPartBody = z
  .object({
    ...chosen,
    visible_columns: optional(visibleColumns).meta({
      description:
        'Columns, in this order; `eval` and `function` are the same one. Also values in the results, such as `metadata.tier`. Default: all.',
    }),
    raw: optional(z.boolean()).meta({
      description:
        'Do not escape text that a spreadsheet would treat as a formula. Default: false.',
    }),
  })
  .meta({ id: 'CsvPartRequest', description: 'Other keys are ignored.' })
  .transform(withoutNulls);

/** Contents of a Markdown report. */
export const markdownBody = z
  .object({
    visible_indices: visibleIndices.meta({
      description: 'Rows of the table, in this order. Positions the run does not have are ignored.',
    }),
    visible_columns: visibleColumns.meta({
      description:
        'Columns of the table, in this order; `eval` and `function` are the same one. Also values in the results, such as `metadata.tier`.',
      example: ['eval', 'input', 'output', 'scores'],
    }),
    ...withRates,
    stats: z
      .object({
        total: count.meta({ description: 'Results of the run.' }),
        filtered: count.meta({ description: 'Shown results.' }),
        avgLatency: z.number().meta({ description: 'Seconds, over the shown results.' }),
        chips: z.array(sentScoreChip),
      })
      .meta({ description: 'Figures of the report, as the reader sees them.' }),
    run_name: optional(z.string()).meta({ description: 'Title. Default: the name of the run.' }),
    session_name: optional(z.string()).meta({ description: 'Default: the session of the run.' }),
  })
  .meta({ id: 'MarkdownRequest', description: 'Other keys are ignored.' })
  .transform(withoutNulls);
