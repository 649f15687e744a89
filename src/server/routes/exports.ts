import type { z } from 'zod';
import type { ExportOptions } from '../../exporters/exporter.js';
import { findExporter } from '../../exporters/index.js';
import type { StoredRun } from '../../store/stored-run.js';
import type { TextAnswer } from '../http/answer.js';
import { defineRoute, type Route } from '../http/route.js';
import {
  callsQuery,
  csvPartBody,
  csvQuery,
  jsonPartBody,
  markdownBody,
} from '../schemas/export.js';
import { runParams } from '../schemas/parameters.js';
import { runJson } from '../schemas/run.js';
import type { Workspace } from '../workspace/workspace.js';
import { exportAnswer } from './run-answers.js';

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
