import type { ChalkInstance } from 'chalk';
import { caseIdOf, type RowFacts } from '../../model/result.js';
import { standingOf } from '../../model/scores/verdict.js';
import { isCalled } from '../../model/selection/named.js';
import type { Executed } from '../../model/summary/origins.js';
import type { Store } from '../../store/store.js';
import type { StoredRun } from '../../store/stored-run.js';
import { pathWord } from '../../text/shell-word.js';
import { asTyped } from '../as-typed.js';

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
  /** The run is the one that commands call `latest`. Default: false, so that they name its id. */
  readonly isLatest?: boolean | undefined;
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
export function showCommand(row: RowFacts, options: RunReportOptions): string {
  const name = pathWord(shortName(row, options.run.rows));
  return withFlags(`assay show ${referenceOf(options)} ${name}`, options.repeatedFlags);
}

/** True for the run that commands call `latest` now; false without looking where nothing has failed, which no command is about. */
export async function isLatestRun(
  store: Pick<Store, 'findRun'>,
  { runId, rows }: Pick<StoredRun, 'runId' | 'rows'>,
): Promise<boolean> {
  if (!rows.some(hasFailed)) return false;
  return (await store.findRun('latest').catch(() => undefined)) === runId;
}

/** True for a failure and an error. */
export function hasFailed(row: RowFacts): boolean {
  return ['failed', 'error'].includes(standingOf(row));
}

/** The run in commands that look at it. */
export function referenceOf({ run, isLatest = false }: RunReportOptions): string {
  return isLatest ? 'latest' : run.head().run_id;
}

/** The shortest name that means a result, or the trials of its case; with its file only where others are called the same. */
function shortName(row: RowFacts, rows: readonly RowFacts[]): string {
  const id = caseIdOf(row);
  const name = row.function;
  // Such names would be read as something else: a flag, a file, several results.
  if (name.startsWith('-') || name.includes('::') || name.includes('*')) return id;
  const isOf = isCalled(name);
  return rows.every((one) => caseIdOf(one) === id || !isOf(one)) ? name : id;
}

/** A command as it is printed: with the flags that it needs to find the run, and as it was started. */
export function withFlags(command: string, flags: string | undefined): string {
  return asTyped(flags === undefined || flags === '' ? command : `${command} ${flags}`);
}
