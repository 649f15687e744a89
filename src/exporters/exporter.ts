import type { ReadableRun } from '../model/readable-run.js';
import type { ScoreChip } from '../model/score.js';

/** Figures over the rows a reader has filtered, shown in a report in place of those of the run. */
export interface ReportStats {
  /** Results of the run. */
  readonly total: number;
  /** Results that match the filter. */
  readonly filtered: number;
  /** Seconds, over the filtered results. */
  readonly avgLatency: number;
  readonly chips: readonly ScoreChip[];
}

/** What can be chosen about an export. */
export interface ExportOptions {
  /** Rows of a table, in this order; positions the run does not have are left out. Default: all. */
  readonly indices?: readonly number[] | undefined;
  /** Columns of a table, in this order; `eval` is another name of `function`. Default: by format. */
  readonly columns?: readonly string[] | undefined;
  /** CSV only: leaves text as it is that a spreadsheet would take for a formula. Default false. */
  readonly raw?: boolean | undefined;
  /** Markdown only. Default: the figures of the whole run. */
  readonly stats?: ReportStats | undefined;
  /** Markdown only: the title. Default: the name of the run. */
  readonly runName?: string | undefined;
  /** Markdown only. Default: the session of the run. */
  readonly sessionName?: string | undefined;
}

/** One export format. */
export interface Exporter<Format extends string = string> {
  /** Name of the format on the command line. */
  readonly format: Format;
  /** Media type, with its charset. */
  readonly contentType: string;
  /** File name extension, without the dot. */
  readonly extension: string;
  /**
   * The document in pieces of about 64,000 characters; what is held in memory does not grow with the run.
   * Throws an `AssayError` with code `usage` at once, before the first piece, when the options do not fit.
   */
  readonly render: (run: ReadableRun, options?: ExportOptions) => AsyncIterable<string>;
}
