import type { ChalkInstance } from 'chalk';
import type { RowFacts } from '../../model/result.js';
import type { StoredRun } from '../../store/stored-run.js';
import { shellWord } from '../../text/shell-word.js';

/** What is read of a run to report it. */
export interface ReportedRun extends Pick<StoredRun, 'entry' | 'summary' | 'head'> {
  readonly rows: readonly RowFacts[];
}

export interface RunReportOptions {
  readonly run: ReportedRun;
  /** Rows for the table: those that were run now. Default: all. The summary is always of the whole run. */
  readonly indices?: readonly number[] | undefined;
  /** Width to fill; infinite where lines may be of any width. */
  readonly columns: number;
  readonly colours: ChalkInstance;
  /** Folder that stack frames are shown relative to; lines of code are only read below it. */
  readonly cwd: string;
  /** Seconds that it took. */
  readonly elapsed?: number | undefined;
  /** How many evaluations `skip` has left out. */
  readonly skipped?: number | undefined;
  /** False when the run is not kept: nothing can be done with its id then. Default true. */
  readonly saved?: boolean | undefined;
  /** Tell errors after the table, for when they were not printed as they happened. Default false. */
  readonly withErrors?: boolean | undefined;
  /** Flags that commands need to find the run, such as `--results-dir DIR`. */
  readonly repeatedFlags?: string | undefined;
  /** Takes secrets out of lines of code. */
  readonly redact?: ((text: string) => string) | undefined;
}

/** Rows of a long table that are shown. */
export const mostShown = 20;
/** Up to so many rows all are shown. */
export const mostInShortTable = 25;

/** The command that exports the run. */
export function exportCommand({ run, repeatedFlags }: RunReportOptions): string {
  return withFlags(`assay export ${run.head().run_id} -f csv`, repeatedFlags);
}

/** The command that shows a result whole. */
export function showCommand(id: string, { run, repeatedFlags }: RunReportOptions): string {
  return withFlags(`assay show ${run.head().run_id} ${shellWord(id)}`, repeatedFlags);
}

/** A command with the flags that it needs to find the run. */
export function withFlags(command: string, flags: string | undefined): string {
  return flags === undefined || flags === '' ? command : `${command} ${flags}`;
}
