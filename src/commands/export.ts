import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Args, Flags } from '@oclif/core';
import { choosePart, shownOf } from '../cli/export/chosen-part.js';
import { referenceSessionFlag, runDescription } from '../cli/flags.js';
import { writeDocument, writeToStdout } from '../cli/output.js';
import { writeToFile } from '../cli/output-file.js';
import { isAsking, type SelectionFlags, selectionFlags } from '../cli/selection-flags.js';
import { type ProjectFlags, StoreCommand } from '../cli/store-command.js';
import { escapeTerminal } from '../cli/terminal/terminal-text.js';
import { AssayError } from '../errors.js';
import type { ExportOptions } from '../exporters/exporter.js';
import {
  type ExportFormat,
  exportFormats,
  findExporter,
  formatOfFile,
} from '../exporters/index.js';
import { type LabelFormat, labelFormats, renderLabels } from '../exporters/labels.js';
import { type Redacted, redactable } from '../exporters/redact.js';
import {
  findStoredRun,
  openReference,
  type ReferenceOptions,
} from '../store/listing/resolve-reference.js';
import type { Store } from '../store/store.js';
import type { StoredRun } from '../store/stored-run.js';
import { countOf } from '../text/count-text.js';
import { leftOutText } from '../text/usage-text.js';

/** Answer of `assay export RUN -o FILE --json`; without a file the answer is the run itself. */
export interface ExportJson {
  /** Absolute path. */
  readonly file: string;
  readonly format: ExportFormat | 'html' | 'jsonl';
  readonly bytes: number;
}

export default class Export extends StoreCommand {
  static override summary = 'Write a run as JSON, CSV, Markdown or OpenTelemetry traces.';
  static override examples = [
    '<%= config.bin %> export latest -f csv -o results.csv',
    '<%= config.bin %> export 3f9a0c12be77 | jq .summary.pass_rate',
    '<%= config.bin %> export brisk-otter -f md --columns eval,input,output,scores',
    '<%= config.bin %> export latest -f csv --where status=failed --columns eval,input,output',
    '<%= config.bin %> export latest -f otlp --calls -o traces.otlp.jsonl',
    '<%= config.bin %> export latest -o report.html --redact input,output',
    '<%= config.bin %> export latest --labels -f csv -o labels.csv',
  ];
  static override args = {
    run: Args.string({
      description: runDescription,
      required: true,
    }),
  };
  static override flags = {
    format: Flags.option({
      char: 'f',
      description:
        'Format; html is a page to send, jsonl is for labels. Default: from the extension of FILE, else json.',
      options: [...exportFormats, 'html', 'jsonl'] as const,
    })(),
    output: Flags.string({
      char: 'o',
      description: 'File to write, - for stdout.',
      default: '-',
      helpValue: 'FILE',
    }),
    columns: Flags.string({
      description:
        'Columns of a CSV or Markdown table: also score:KEY for one score, and values such as metadata.tier.',
      multiple: true,
      multipleNonGreedy: true,
      delimiter: ',',
      helpValue: 'NAMES',
    }),
    raw: Flags.boolean({ description: 'CSV: do not escape text that looks like a formula.' }),
    calls: Flags.boolean({
      description: 'JSON, OTLP: with the texts of HTTP calls: prompts, answers, tool calls.',
    }),
    redact: Flags.option({
      description:
        'Leave these values of results out; with any of them, also calls, trace data and what a regrade needs.',
      options: redactable,
      multiple: true,
      multipleNonGreedy: true,
      delimiter: ',',
      exclusive: ['calls', 'labels'],
    })(),
    labels: Flags.boolean({
      description: 'The labels by people instead of the results: JSON, CSV or JSONL.',
      exclusive: ['calls', 'columns', 'raw', 'where', 'name', 'dataset', 'label', 'sample'],
    }),
    session: referenceSessionFlag,
    ...selectionFlags('SELECTION'),
  };

  async run(): Promise<ExportJson | undefined> {
    // Each result is looked at once: without these, more memory holds garbage than is in use.
    setFlagsFromString('--heap-growing-percent=20');
    setFlagsFromString('--semi-space-growth-factor=1');
    const { args, flags } = await this.parse(Export);
    const file = flags.output === '-' ? undefined : resolve(process.cwd(), flags.output);
    if (flags.labels) return this.#exportLabels(args.run, flags);
    const format = flags.format ?? formatOf(flags.output);
    if (format === 'html') return this.#exportReport(args.run, flags);
    if (format === 'jsonl') {
      throw new AssayError('usage', 'jsonl is a format of labels: add --labels.');
    }
    const { columns, raw, calls, redact: hidden } = flags;
    checkFlags(format, { raw, calls, json: this.jsonEnabled() && file === undefined });
    const store = await this.openResults(flags);
    // The figures of a report need all rows at once.
    const isStreamed = format !== 'md';
    const where = { cwd: process.cwd(), session: flags.session };
    const isPart = isAsking(flags);
    const group = await this.findGroup(store, args.run, flags);
    if (group !== undefined) {
      if (isPart) throw wholeGroup(args.run);
      return this.#exportGroup(store, args.run, group, {
        format,
        columns,
        raw,
        calls,
        hidden,
        file: flags.output,
      });
    }
    const opened = isPart
      ? await openPart(store, args.run, { ...where, flags })
      : { ...(await openReference(store, args.run, { ...where, isStreamed })), chosen: undefined };
    const { run, close, chosen } = opened;
    try {
      this.noteProblems(opened.problems);
      const { render, leftOut } = findExporter(format);
      const { indices, countsOnly } = chosen ?? {};
      const pieces = render(shownOf(run, hidden), { columns, raw, calls, indices, countsOnly });
      const left = leftOutText(leftOut?.(run, { columns }) ?? {});
      if (left !== undefined) this.note(left);
      if (file === undefined) {
        await writeDocument(pieces, format === 'json' || format === 'otlp');
        this.noteProblems(opened.problems);
        return undefined;
      }
      const bytes = await writeToFile(flags.output, pieces);
      this.noteProblems(opened.problems);
      const results = countOf(indices?.length ?? run.head.total_evaluations, 'result');
      this.logToStderr(`${results} written to ${escapeTerminal(flags.output)}`);
      return { file, format, bytes };
    } finally {
      await close();
    }
  }

  /** Writes a run, or the runs of a group, as one page. */
  async #exportReport(reference: string, flags: ReportFlags): Promise<ExportJson | undefined> {
    checkReportFlags(flags);
    const { withRuns } = await import('../cli/run/group-data.js');
    const { renderReport } = await import('../exporters/report.js');
    const store = await this.openResults(flags);
    const where = { cwd: process.cwd(), session: flags.session };
    const group = await this.findGroup(store, reference, flags);
    if (group !== undefined && isAsking(flags)) throw wholeGroup(reference);
    const ids = group ?? [await findStoredRun(store, reference, where)];
    return withRuns(store, ids, async (whole) => {
      for (const { problems } of whole) this.noteProblems(problems);
      const chosen = await choosePart(whole, flags);
      try {
        const { runs } = chosen;
        const shown = runs.map(({ runId }) => runId);
        const query = new URLSearchParams(shown.map((id): [string, string] => ['run', id]));
        const page = group === undefined ? `/?${query}` : `/matrix?${query}`;
        const pieces = renderReport(runs, { run: shown[0] ?? '', page });
        if (flags.output === '-') {
          await writeToStdout(pieces);
          return undefined;
        }
        const bytes = await writeToFile(flags.output, pieces);
        this.logToStderr(`report written to ${escapeTerminal(flags.output)}`);
        return { file: resolve(process.cwd(), flags.output), format: 'html', bytes };
      } finally {
        await chosen.close();
      }
    });
  }

  async #exportLabels(reference: string, flags: LabelFlags): Promise<ExportJson | undefined> {
    const format = labelFormatOf(flags);
    const store = await this.openResults(flags);
    const where = { cwd: process.cwd(), session: flags.session };
    const run = await store.openRun(await findStoredRun(store, reference, where));
    try {
      this.noteProblems(run.problems);
      const { text } = renderLabels(run, format);
      if (flags.output === '-') {
        await writeDocument(once(text), format === 'json');
        return undefined;
      }
      const bytes = await writeToFile(flags.output, once(text));
      const labels = countOf(run.labels().length, 'label');
      this.logToStderr(`${labels} written to ${escapeTerminal(flags.output)}`);
      return { file: resolve(process.cwd(), flags.output), format, bytes };
    } finally {
      await run.close();
    }
  }

  /** Writes a file for each run of a group, or all of them as one JSON to stdout. */
  async #exportGroup(
    store: Store,
    name: string,
    ids: readonly string[],
    {
      format,
      file,
      hidden,
      ...options
    }: ExportOptions & {
      format: ExportFormat;
      file: string;
      hidden: readonly Redacted[] | undefined;
    },
  ): Promise<undefined> {
    const { groupJson, withRuns, writeFiles } = await import('../cli/run/group-data.js');
    if (file === '-' && format !== 'json') {
      throw new AssayError(
        'usage',
        `${name} is a group of ${ids.length} runs: ${format} has a file for each.`,
        {
          hints: ['Name the files: -o results.{variant}.csv'],
        },
      );
    }
    await withRuns(store, ids, async (runs) => {
      if (file === '-') {
        const { compareGroup } = await import('../compare/variants/compare-variants.js');
        const comparison = compareGroup(runs);
        const shown = (run: StoredRun) => shownOf(run.snapshot(), hidden);
        await writeDocument(groupJson({ name, runs }, comparison, options.calls, shown), true);
        return;
      }
      const { render } = findExporter(format);
      for await (const written of writeFiles(file, runs, (run) =>
        render(shownOf(run.snapshot(), hidden), options),
      )) {
        this.logToStderr(`results written to ${escapeTerminal(written.name)}`);
      }
    });
    return undefined;
  }
}

interface ReportFlags extends ProjectFlags, SelectionFlags {
  readonly format?: ExportFormat | 'html' | 'jsonl' | undefined;
  readonly output: string;
  readonly session?: string | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly raw: boolean;
  readonly calls: boolean;
  readonly redact?: readonly Redacted[] | undefined;
}

function formatOf(output: string): ExportFormat | 'html' {
  return /\.html?$/i.test(output) ? 'html' : formatOfFile(output);
}

/** Error: `usage` for what a report does not take. */
function checkReportFlags(flags: ReportFlags): void {
  if (flags.columns !== undefined || flags.raw || flags.calls) {
    throw new AssayError(
      'usage',
      'A report is the whole page: it has no --columns, --raw, --calls.',
    );
  }
}

interface LabelFlags extends ProjectFlags {
  readonly format?: ExportFormat | 'html' | 'jsonl' | undefined;
  readonly output: string;
  readonly session?: string | undefined;
}

/** Error: `usage` for a format that labels do not have. */
function labelFormatOf({ format, output }: LabelFlags): LabelFormat {
  const given = format ?? /\.(\w+)$/.exec(output)?.[1]?.toLowerCase() ?? 'json';
  const known = labelFormats.find((one) => one === given);
  if (known !== undefined) return known;
  if (format === undefined) return 'json';
  throw new AssayError('usage', `Labels are written as ${labelFormats.join(', ')}, not ${format}.`);
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

/** A run of which flags select results. */
async function openPart(
  store: Store,
  reference: string,
  { flags, ...where }: ReferenceOptions & { readonly flags: SelectionFlags },
) {
  const { openShownRun } = await import('../cli/show/shown-run.js');
  const { selectedResults } = await import('../cli/show/chosen-results.js');
  const shown = await openShownRun(store, reference, where);
  try {
    const run = shown.readable();
    const chosen = await selectedResults(run, shown.stored, flags);
    return { run, chosen, problems: shown.problems, close: () => shown.close() };
  } catch (error) {
    await shown.close();
    throw error;
  }
}

function wholeGroup(name: string): AssayError {
  return new AssayError('usage', `${name} is a group of runs, and filters are for one run.`, {
    hints: ['Name one of its runs: assay sessions show'],
  });
}

function checkFlags(
  format: ExportFormat,
  flags: { raw: boolean; calls: boolean; json: boolean },
): void {
  if (flags.raw && format !== 'csv') {
    throw new AssayError('usage', `--raw is for CSV, and this is ${format}.`);
  }
  if (flags.calls && format !== 'json' && format !== 'otlp') {
    throw new AssayError('usage', `--calls is for JSON and OTLP, and this is ${format}.`, {
      hints: ['The columns calls, tokens, cost and usage have the numbers.'],
    });
  }
  if (flags.json && format !== 'json') {
    throw new AssayError('usage', `--json on stdout is the run as JSON, and this is ${format}.`, {
      hints: ['Omit --json, or write to a file with -o.'],
    });
  }
}
