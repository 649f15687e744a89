import { createHash } from 'node:crypto';
import { z } from 'zod';
import { fixedColumnNames } from '../../exporters/columns.js';
import type { ExportOptions } from '../../exporters/exporter.js';
import { type ExportFormat, findExporter } from '../../exporters/index.js';
import { renderRunJson } from '../../exporters/json.js';
import type { StoredRun } from '../../store/stored-run.js';
import { leftOutText } from '../../text/usage-text.js';
import { type AnswerDescription, defineRoute, type Route, type TextAnswer } from '../http/route.js';
import type { Workspace } from '../workspace/workspace.js';
import { runJson } from './run.js';
import { sentScoreChip } from './score.js';
import { count, flagParameter, optional, runParams, withoutNulls } from './values.js';

const tag = 'Export';

const leftOutHeader =
  'The header `Assay-Left-Out` says what attempts without a row spent (`Not in it: 3 calls, $0.10 of stopped attempts`); absent for nothing.';

/** A file of a whole run: byte for byte what the command line writes. */
interface WholeRun {
  readonly format: ExportFormat;
  readonly operation: string;
  readonly what: string;
  readonly query: typeof callsQuery | typeof csvQuery;
  readonly answer: AnswerDescription;
}

/** A file of some results of a run. */
interface PartOfRun {
  readonly format: ExportFormat;
  /** The end of the path. */
  readonly path: string;
  readonly operation: string;
  readonly summary: string;
  readonly description: string;
  readonly body: typeof jsonPartBody | typeof csvPartBody | typeof markdownBody;
  readonly answer: AnswerDescription;
}

/** Runs as files to save. */
export function exportRoutes(workspace: Workspace): Route[] {
  return [
    ...wholeRuns.map((file) => wholeRoute(workspace, file)),
    ...partsOfRuns.map((file) => partRoute(workspace, file)),
  ];
}

function wholeRoute(workspace: Workspace, file: WholeRun): Route {
  const { format, what, operation, query, answer } = file;
  return defineRoute({
    method: 'GET',
    path: `/api/runs/{run_id}/export/${format}`,
    ...{ operation, tag, query },
    summary: `${what}, as \`assay export -f ${format}\` writes it.`,
    params: runParams,
    answer: { ...ofFormat(format), ...answer, headers: ['Content-Disposition', 'ETag'] },
    handle: async ({ params, query, onEnd }) =>
      wholeAnswer(await workspace.read(params.run_id, onEnd), format, query),
  });
}

function partRoute(workspace: Workspace, file: PartOfRun): Route {
  const { format, path, operation, summary, description, body, answer } = file;
  return defineRoute({
    method: 'POST',
    path: `/api/runs/{run_id}/export/${path}`,
    ...{ operation, tag, summary, body },
    description: `${description} The body may have 8 MiB.`,
    params: runParams,
    maxBody: 8 * 1024 * 1024,
    answer: { ...ofFormat(format), ...answer, headers: ['Content-Disposition'] },
    handle: async ({ params, body, onEnd }) =>
      partAnswer(await workspace.read(params.run_id, onEnd), format, body),
  });
}

function ofFormat(format: ExportFormat): Pick<AnswerDescription, 'contentType'> {
  return { contentType: findExporter(format).contentType };
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

function wholeAnswer(
  run: StoredRun,
  format: ExportFormat,
  options: Pick<ExportOptions, 'raw' | 'calls'>,
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

/** What a request says of a part. */
interface PartRequest {
  readonly visible_indices: readonly number[];
  readonly visible_columns?: readonly string[];
  /** No outcome has decided which results are in it. */
  readonly with_rates?: boolean;
  readonly calls?: boolean;
  readonly raw?: boolean;
  readonly stats?: ExportOptions['stats'];
  readonly run_name?: string;
  readonly session_name?: string;
}

function partAnswer(run: StoredRun, format: ExportFormat, body: PartRequest): TextAnswer {
  const { contentType, extension, render } = findExporter(format);
  const { visible_indices: indices, visible_columns: columns, calls, raw, stats } = body;
  const chosen = new Set(indices);
  const isPart = run.rows.some((_, index) => !chosen.has(index));
  const pieces = render(run.snapshot(), {
    ...{ indices, columns, calls, raw, stats },
    countsOnly: isPart && body.with_rates !== true,
    // The report of the API has a bar for each score.
    bars: true,
    runName: body.run_name,
    sessionName: body.session_name,
  });
  const name = format === 'md' ? run.runId : `${run.runId}-part`;
  return { kind: 'text', contentType, pieces, fileName: `${name}.${extension}` };
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
const csvQuery = z.strictObject({
  raw: flagParameter(
    'Do not escape text that a spreadsheet would treat as a formula, like `assay export --raw`. Default: false.',
  ),
});

/** `?calls=true` also writes messages. */
const callsQuery = z.strictObject({
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

const jsonPartBody = z
  .object({
    ...chosen,
    ...withRates,
    calls: optional(z.boolean()).meta({
      description: 'With the texts of HTTP calls. Default: false.',
    }),
  })
  .meta({ id: 'JsonPartRequest', description: 'Other keys are ignored.' })
  .transform(withoutNulls);

const csvPartBody = z
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

const markdownBody = z
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

const wholeRuns: readonly WholeRun[] = [
  {
    format: 'json',
    operation: 'exportJson',
    what: 'A run as JSON',
    query: callsQuery,
    answer: {
      description:
        'The file `<run_id>.json`: a RunData without `score_chips`, `eval_path` and the fields of the active run.',
      schema: runJson,
    },
  },
  {
    format: 'otlp',
    operation: 'exportOtlp',
    what: 'A run as OpenTelemetry traces',
    query: callsQuery,
    answer: {
      description: `The file \`<run_id>.otlp.jsonl\`: lines of OTLP JSON. ${leftOutHeader}`,
    },
  },
  {
    format: 'csv',
    operation: 'exportCsv',
    what: 'Every result of a run as CSV',
    query: csvQuery,
    answer: { description: `The file \`<run_id>.csv\`. ${leftOutHeader}` },
  },
];

const partsOfRuns: readonly PartOfRun[] = [
  {
    format: 'json',
    path: 'part/json',
    operation: 'exportJsonPart',
    summary: 'Some results of a run as JSON, with the figures of these.',
    description: '`part_of` is the number of results of the run.',
    body: jsonPartBody,
    answer: { description: 'The file `<run_id>-part.json`.', schema: runJson },
  },
  {
    format: 'csv',
    path: 'part/csv',
    operation: 'exportCsvPart',
    summary: 'Some results and columns of a run as CSV.',
    description: 'An unknown column: 400.',
    body: csvPartBody,
    answer: { description: 'The file `<run_id>-part.csv`.' },
  },
  {
    format: 'md',
    path: 'markdown',
    operation: 'exportMarkdown',
    summary: 'A Markdown report with bar charts and a table of the chosen rows and columns.',
    description: 'An unknown column or a missing key: 400.',
    body: markdownBody,
    answer: { description: 'The file `<run_id>.md`.' },
  },
];
