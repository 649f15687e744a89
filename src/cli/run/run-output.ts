import type { GateVerdict } from '../../model/gates/gate-verdict.js';
import { identityOf } from '../../model/result.js';
import { shardText } from '../../model/shard.js';
import { originsOf } from '../../model/summary/origins.js';
import type { RunEvent } from '../../runner/events.js';
import type { Explanation } from '../../runner/explain-rows.js';
import type { EvaluationList } from '../../runner/list-evaluations.js';
import type { StoredRun } from '../../store/stored-run.js';
import { writeDocument } from '../output.js';
import { writeToFile } from '../output-file.js';
import type { ExecutionFlags, RunReportOptions } from '../report/report-options.js';
import { namesIn } from '../report/report-rows.js';
import { coloursFor } from '../terminal/colour.js';
import { streamWidth } from '../terminal/stream-width.js';
import { escapeTerminal } from '../terminal/terminal-text.js';
import { decisionJson, decisionText, renderDecisions } from './changed-list.js';
import { printVerdicts } from './judge-run.js';
import type { BaselineComparison } from './run-baseline.js';
import { RunView, type RunViewOptions } from './run-view.js';
import type { CallProgress } from './run-view-progress.js';

export interface RunOutputOptions {
  /** Print the run JSON on stdout. */
  readonly json: boolean;
  /** File for the results, in addition; `-` for stdout. */
  readonly file: string | undefined;
  /** False for a run that is not saved. */
  readonly saved: boolean;
  /** Only what has changed is to run. */
  readonly onlyChanged: boolean;
  /** No row is left out of what may run. */
  readonly checksAll: boolean;
  /** Show output of evaluations. */
  readonly verbose: boolean;
  /** Flags that other commands need to find the run. */
  readonly repeatedFlags: string;
  readonly executionFlags: ExecutionFlags;
  /** Lines to print before anything else. Default: none. */
  readonly title?: readonly string[] | undefined;
  /** What the live line ends with. Default: nothing. */
  readonly hint?: string | undefined;
}

/** What a run, or a round of one, says on stderr while it is executed. */
export class ProgressOutput {
  /** The current run, once there is one; provides the names of evaluations. */
  run: StoredRun | undefined;
  /** The limiter of its calls, if there is one. */
  calls: CallProgress | undefined;
  redact: (text: string) => string = (text) => text;
  /** The rows that have finished. */
  readonly ran: number[] = [];
  /** Rows of which only the grading runs. */
  protected regraded: ReadonlySet<number> = new Set();
  readonly #view: RunView;
  #naming: { readonly rows: number; readonly nameOf: ReturnType<typeof namesIn> } | undefined;

  constructor(
    options: Pick<RunViewOptions, 'verbose' | 'title' | 'hint' | 'withHeading' | 'countsRows'>,
  ) {
    this.#view = new RunView({
      ...options,
      stream: process.stderr,
      columns: streamWidth(process.stderr),
      isTerminal: process.stderr.isTTY === true,
      colours: coloursFor('stderr'),
      env: process.env,
      nameOf: (index) => this.nameOf(index),
      calls: () => this.calls,
      cwd: process.cwd(),
      redact: (text) => this.redact(text),
    });
  }

  onEvent(event: RunEvent): void {
    if (event.type === 'opened') this.regraded = new Set(event.regraded);
    if (event.type === 'finished') for (const { index } of event.results) this.ran.push(index);
    this.#view.onEvent(event);
  }

  /** The name of an evaluation that runs. */
  protected nameOf(index: number): string {
    return this.nameIn(this.run?.rows ?? [], index);
  }

  /** The name of a row, with its file where several files have it; all runs of a command have the same cases. */
  protected nameIn(rows: StoredRun['rows'], index: number): string {
    const row = rows[index];
    if (row === undefined) return '';
    if (this.#naming?.rows !== rows.length) {
      this.#naming = { rows: rows.length, nameOf: namesIn(rows) };
    }
    return this.#naming.nameOf(row);
  }

  note(text: string): void {
    this.#view.note(text);
  }

  say(text: string): void {
    this.#view.say(text);
  }

  printTitle(): void {
    this.#view.printTitle();
  }

  /** Removes the live line. */
  end(): void {
    this.#view.end();
  }

  /** Options of a report of what has run. */
  get page() {
    return {
      columns: streamWidth(process.stderr),
      colours: coloursFor('stderr'),
      cwd: process.cwd(),
      // Otherwise they were printed as they happened.
      withErrors: this.#view.isLive,
      redact: this.redact,
    };
  }
}

/** All output of `assay run`: progress and results on stderr, data on stdout. */
export class RunOutput extends ProgressOutput {
  /** Rows that a regrade has left, since their values are not stored as they were; absent without a regrade. */
  skippedInexact: number | undefined;
  readonly #options: RunOutputOptions;
  #report: Promise<typeof import('../report/run-report.js')> | undefined;
  #skipped = 0;

  constructor(options: RunOutputOptions) {
    super({ ...options, countsRows: options.onlyChanged });
    this.#options = options;
  }

  override onEvent(event: RunEvent): void {
    if (event.type === 'discovered') this.#skipped = event.skipped;
    super.onEvent(event);
  }

  /** Prepares {@link report} ahead of time. */
  async prepareReport(): Promise<void> {
    const { warmUp } = await this.#loadReport();
    warmUp();
  }

  #loadReport(): Promise<typeof import('../report/run-report.js')> {
    this.#report ??= import('../report/run-report.js');
    return this.#report;
  }

  /** Prints what would run: one id per line, or JSON. */
  async list(list: EvaluationList): Promise<void> {
    this.end();
    const { skipped, shard, decisions, rows } = list;
    if (this.#options.json) return writeJson({ evaluations: listedRows(list), skipped, shard });
    await writeDocument(pieces(listLines(list)), false);
    const more = skipped === 0 ? '' : `, ${skipped} skipped`;
    if (decisions !== undefined) {
      process.stderr.write(`${renderDecisions(list).join('\n')}\n`);
      return;
    }
    const part = shard === undefined ? '' : ` · ${shardText(shard)}`;
    process.stderr.write(`${rows.length} would run${more}${part}\n`);
  }

  /** Prints what of each variant would run, and why. */
  async listByVariant(variants: readonly VariantList[]): Promise<void> {
    this.end();
    if (this.#options.json) {
      return writeJson({
        variants: variants.map(({ name, list }) => ({
          ...{ name, evaluations: listedRows(list) },
          ...{ skipped: list.skipped, shard: list.shard },
        })),
      });
    }
    const lines = variants.map(({ name, list }) => listLines(list, name));
    await writeDocument(pieces(lines.join('')), false);
    for (const { name, list } of variants) {
      process.stderr.write(`${escapeTerminal(name)}\n${renderDecisions(list).join('\n')}\n`);
    }
  }

  /** Prints why rows would run, or not. */
  async explain(explained: readonly Explanation[]): Promise<void> {
    this.end();
    const { explanationJson, renderExplanation } = await import('./explain.js');
    const { json } = this.#options;
    const text = json
      ? JSON.stringify({ explained: explained.map(explanationJson) }, null, 2)
      : explained.map((one) => renderExplanation(one, coloursFor('stdout'))).join('\n\n');
    await writeDocument(pieces(`${text}\n`), json);
  }

  /** True if all results are up to date at the end, whatever the version of their code. */
  get isUpToDate(): boolean {
    return this.#options.onlyChanged && this.#options.checksAll;
  }

  /** Reports the outcome of the run, by itself and against its baseline. */
  async report(
    run: StoredRun,
    gates: readonly GateVerdict[],
    comparison: BaselineComparison | undefined,
    { waited, isLatest }: Pick<RunReportOptions, 'waited' | 'isLatest'>,
  ): Promise<void> {
    this.end();
    const { renderRunReport } = await this.#loadReport();
    const { saved, repeatedFlags, executionFlags, onlyChanged } = this.#options;
    const countsExecuted = onlyChanged || originsOf(run.rows) !== undefined;
    const report = renderRunReport({
      ...this.page,
      run,
      indices: this.ran.length === run.rows.length ? undefined : this.ran.sort((a, b) => a - b),
      executed: countsExecuted ? { indices: this.ran, regraded: this.regraded } : undefined,
      isUpToDate: this.isUpToDate,
      // Since the process started, which is the time that the user waited.
      elapsed: performance.now() / 1000,
      waited,
      skipped: this.#skipped,
      saved,
      isLatest,
      repeatedFlags,
      executionFlags,
    });
    process.stderr.write(`\n${report}`);
    printVerdicts(gates, comparison);
  }

  /** Writes the requested data to a file and to stdout. */
  async writeData(run: StoredRun): Promise<void> {
    const { json, file } = this.#options;
    // The file first, because it may fail, and stdout must not be followed by anything.
    if (file !== undefined && file !== '-') await this.#writeFile(run, file);
    if (!json && file !== '-') return;
    const { renderRunJson } = await import('../../exporters/json.js');
    const { skippedInexact } = this;
    const extra = skippedInexact === undefined ? {} : { skipped_inexact: skippedInexact };
    await writeDocument(renderRunJson(run.snapshot(), { extra, kept: true }), true);
  }

  async #writeFile(run: StoredRun, file: string): Promise<void> {
    const { findExporter, formatOfFile } = await import('../../exporters/index.js');
    await writeToFile(file, findExporter(formatOfFile(file)).render(run.snapshot()));
    process.stderr.write(`results written to ${escapeTerminal(file)}\n`);
  }
}

/** What would run of a variant. */
export interface VariantList {
  readonly name: string;
  readonly list: EvaluationList;
}

function listedRows({ rows, decisions }: EvaluationList): object[] {
  return rows.map((row, at) => {
    const decision = decisions?.[at];
    return { ...identityOf(row), ...(decision && { changed: decisionJson(decision) }) };
  });
}

function listLines({ rows, decisions }: EvaluationList, variant?: string): string {
  const of = variant === undefined ? '' : `  ${variant}`;
  const lines = rows.map((row, at) => {
    const labels = row.labels.map((label) => ` #${label}`).join('');
    const decision = decisions?.[at];
    const what = decision === undefined ? '' : `  ${decisionText(decision)}`;
    return `${escapeTerminal(`${row.id}  ${row.dataset}${labels}${of}${what}`)}\n`;
  });
  return lines.join('');
}

async function writeJson(value: object): Promise<void> {
  await writeDocument(pieces(`${JSON.stringify(value, null, 2)}\n`), true);
}

async function* pieces(text: string): AsyncGenerator<string> {
  yield text;
}
