import type { ReadableRun } from '../model/readable-run.js';
import type { ScoreChip } from '../model/scores/score.js';
import type { LeftOut } from './left-out.js';

/** Figures over the rows that a reader has filtered, shown in a report instead of those of the run. */
interface ReportStats {
  /** The number of results of the run. */
  readonly total: number;
  /** The number of results that match the filter. */
  readonly filtered: number;
  /** Seconds, over the filtered results. */
  readonly avgLatency: number;
  readonly chips: readonly ScoreChip[];
}

/** Options of an export. */
export interface ExportOptions {
  /** Results, in this order; ignores positions that the run does not have. Default: all. */
  readonly indices?: readonly number[] | undefined;
  /** What came of the results at `indices` decided which they are: their rates and intervals are left out. Default: false. */
  readonly countsOnly?: boolean | undefined;
  /** Markdown only: bars and shares of scores although rates are left out. Default: false. */
  readonly bars?: boolean | undefined;
  /** Columns of a table, in this order; `eval` is an alias of `function`. The default depends on the format. */
  readonly columns?: readonly string[] | undefined;
  /** JSON and OTLP only: also writes the calls with their texts. Default: false. */
  readonly calls?: boolean | undefined;
  /** CSV only: leaves text unchanged that a spreadsheet would read as a formula. Default: false. */
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
  /** File name extension, without the first dot. */
  readonly extension: string;
  /**
   * Renders the document in chunks of about 64,000 characters; memory use does not grow with the run. Throws an
   * `AssayError` with code `usage` immediately, before the first chunk, if the options are invalid.
   */
  readonly render: (run: ReadableRun, options?: ExportOptions) => AsyncIterable<string>;
  /** What the run spent that the document does not contain. Absent where it contains everything. */
  readonly leftOut?: (run: ReadableRun, options?: ExportOptions) => LeftOut;
}
