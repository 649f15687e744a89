import type { ChalkInstance } from 'chalk';
import type { RowFacts } from '../../model/result.js';
import type { Executed } from '../../model/summary/origins.js';
import type { StoredRun } from '../../store/stored-run.js';
import { pathWord } from '../../text/shell-word.js';

/** The parts of a run that a report needs. */
export interface ReportedRun extends Pick<StoredRun, 'entry' | 'summary' | 'head'> {
  /** Absent where it is not known. */
  readonly ratesBefore?: StoredRun['ratesBefore'];
  /** Absent where labels are not of all results. */
  readonly corrected?: StoredRun['corrected'];
  readonly rows: readonly RowFacts[];
}

export interface RunReportOptions {
  readonly run: ReportedRun;
  /** Rows for the table: those that ran now. Default: all. The summary always covers the whole run. */
  readonly indices?: readonly number[] | undefined;
  /** What was executed now, to count that instead of what the run has; where only what has changed was to run. */
  readonly executed?: Executed | undefined;
  /** All results were found to be up to date, whatever the version of their code. */
  readonly isUpToDate?: boolean | undefined;
  /** Line width; infinite for unlimited lines. */
  readonly columns: number;
  readonly colours: ChalkInstance;
  /** The folder to which frames are relative; only files below it are read for lines of code. */
  readonly cwd: string;
  /** Duration in seconds. */
  readonly elapsed?: number | undefined;
  /** Seconds of the execution in which calls were held, by model. */
  readonly waited?: readonly (readonly [model: string, seconds: number])[] | undefined;
  /** The number of evaluations excluded by `skip`. */
  readonly skipped?: number | undefined;
  /** False for a run that is not saved, so that its id cannot be used. Default: true. */
  readonly saved?: boolean | undefined;
  /** Show errors after the table, because they were not printed as they happened. Default: false. */
  readonly withErrors?: boolean | undefined;
  /** Flags that other commands need to find the run, such as `--results-dir DIR`. */
  readonly repeatedFlags?: string | undefined;
  /** Flags with which the run was executed, and its next execution should be, such as `--offline`. */
  readonly executionFlags?: ExecutionFlags | undefined;
  /** Redacts secrets in lines of code. */
  readonly redact?: ((text: string) => string) | undefined;
}

/** Flags of an execution that is like the last one: one that runs results again, and one that runs the rest. */
export interface ExecutionFlags {
  readonly rerun: string;
  readonly resume: string;
}

/** Maximum rows shown of a long table. */
export const mostShown = 20;
/** Tables with at most this many rows are shown in full. */
export const mostInShortTable = 25;

export function exportCommand({ run, repeatedFlags }: RunReportOptions): string {
  return withFlags(`assay export ${run.head().run_id} -f csv`, repeatedFlags);
}

/** The command that shows a result in full. */
export function showCommand(id: string, { run, repeatedFlags }: RunReportOptions): string {
  return withFlags(`assay show ${run.head().run_id} ${pathWord(id)}`, repeatedFlags);
}

/** Adds the flags that a command needs to find the run. */
export function withFlags(command: string, flags: string | undefined): string {
  return flags === undefined || flags === '' ? command : `${command} ${flags}`;
}
