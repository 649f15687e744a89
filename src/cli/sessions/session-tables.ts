import type { JsonObject } from '../../model/json.js';
import type { CodeVersion, Repeats, RunState } from '../../model/run.js';
import { codeVersionsText } from '../../model/summary/code-versions.js';
import { renderPercent } from '../../model/summary/figure-text.js';
import type { PassRate } from '../../model/summary/pass-rate.js';
import type { Estimate } from '../../statistics/bounds.js';
import { renderCount } from '../../text/count-text.js';
import { repeatsNote } from '../../text/repeats-text.js';
import { boundsText } from '../../text/share-text.js';
import { coloursFor } from '../terminal/colour.js';
import { type FittedColumn, renderFittedColumns } from '../terminal/fitted-columns.js';
import { escapedParams } from '../terminal/params-text.js';
import { relativeTime } from '../terminal/relative-time.js';
import { escapeTerminal } from '../terminal/terminal-text.js';

/** A line of the table of sessions. */
export interface SessionLine {
  readonly session_name: string;
  readonly runs: number;
  readonly last_run: { readonly run_name: string; readonly pass_rate: Estimate | null };
  /** When the last run first started, in Unix milliseconds. */
  readonly lastStart: number;
  /** Oldest first. */
  readonly pass_rates: readonly (Estimate | null)[];
}

/** A line of the table of runs. */
export interface RunLine {
  readonly run_id: string;
  readonly run_name: string;
  /** When the run first started, in Unix milliseconds. */
  readonly start: number;
  readonly total_evaluations: number;
  readonly total_passed: number;
  readonly total_errors: number;
  readonly pass_rate: PassRate | null;
  readonly repeats?: Repeats;
  readonly state: RunState;
  readonly config_name: string;
  readonly params?: JsonObject | undefined;
  readonly code_versions?: readonly CodeVersion[];
}

/** The page for a table. */
export interface Page {
  /** Columns; unlimited if missing. */
  readonly width?: number | undefined;
  /** Unix milliseconds. */
  readonly now: number;
}

/** Renders sessions with their last run, its pass rate, and the trend of the rate. */
export function renderSessions(sessions: readonly SessionLine[], page: Page): string {
  const names = sessions.map((session) => escapeTerminal(session.session_name));
  const lastRuns = sessions.map(({ last_run }) => escapeTerminal(last_run.run_name));
  const rates = sessions.map(({ last_run }) => last_run.pass_rate);
  const columns: FittedColumn[] = [
    { title: 'session', cells: names, shrinkTo: 12 },
    { title: 'runs', cells: sessions.map(({ runs }) => renderCount(runs)), align: 'right' },
    { title: 'last run', cells: lastRuns, rank: 2, shrinkTo: 8 },
    { title: 'started', cells: sessions.map(({ lastStart }) => relativeTime(lastStart, page.now)) },
    { title: 'pass rate', cells: trends(rates, sessions) },
    { title: '95 %', cells: rates.map(intervalText), rank: 1 },
  ];
  return renderFittedColumns(columns, page.width);
}

function trends(
  rates: readonly (Estimate | null)[],
  sessions: readonly SessionLine[],
): readonly string[] {
  const shares = rates.map(shareText);
  const width = Math.max(...shares.map((share) => share.length));
  return shares.map((share, position) => {
    return `${share.padStart(width)} ${renderSparkline(sessions[position]?.pass_rates ?? [])}`;
  });
}

/** Renders the runs of a session. */
export function renderRuns(runs: readonly RunLine[], page: Page): string {
  const rates = runs.map((run) => run.pass_rate);
  // A column with the same value in every line is dropped first.
  const allFinished = runs.every(({ state }) => state === 'finished');
  const noErrors = runs.every((run) => run.total_errors === 0);
  const configs = runs.map((run) => escapeTerminal(run.config_name));
  const columns: FittedColumn[] = [
    { title: 'run', cells: runs.map((run) => escapeTerminal(run.run_name)), shrinkTo: 12 },
    { title: 'id', cells: runs.map((run) => run.run_id) },
    { title: 'started', cells: runs.map(({ start }) => relativeTime(start, page.now)) },
    count('results', runs, 5, (run) => run.total_evaluations),
    { title: 'passed', cells: rates.map(ofText), align: 'right', rank: 6 },
    count('errors', runs, noErrors ? 4 : 7, (run) => run.total_errors),
    { title: 'pass rate', cells: rates.map(shareText), align: 'right' },
    { title: '95 %', cells: rates.map(intervalText), rank: 3 },
    { title: 'state', cells: runs.map(({ state }) => stateText(state)), rank: allFinished ? 2 : 8 },
    { title: 'config', cells: configs, rank: 1, shrinkTo: 12 },
    ...(runs.some(({ params }) => params)
      ? [{ title: 'params', cells: paramCells(runs), rank: 0 }]
      : []),
  ];
  const mixed = runs.flatMap(({ run_id, code_versions: versions }) =>
    versions === undefined ? [] : [`\n${run_id}: ${codeVersionsText(versions)}`],
  );
  const again = runs.flatMap((run) => {
    const note = repeatsNote({ ...run, totals: run });
    return note === undefined ? [] : [`\n${run.run_id}: ${note}`];
  });
  const notes = [...mixed, ...again];
  return `${renderFittedColumns(columns, page.width)}${notes.length === 0 ? '' : '\n'}${notes.join('')}`;
}

function shareText(rate: Estimate | null): string {
  return rate === null ? '–' : renderPercent(rate.estimate);
}

/** The params of each run; bold those that the run before has with another value, or not at all. */
function paramCells(runs: readonly RunLine[]): string[] {
  return runs.map((run, at) => escapedParams(run, runs[at + 1], coloursFor('stdout')));
}

/** `20 of 45`: results with a verdict, and errors. */
function ofText(rate: PassRate | null): string {
  return rate === null ? '' : `${renderCount(rate.passed)} of ${renderCount(rate.total)}`;
}

function intervalText(rate: Estimate | null): string {
  return rate === null ? '' : boundsText(rate);
}

function count(
  title: string,
  runs: readonly RunLine[],
  rank: number,
  read: (run: RunLine) => number,
): FittedColumn {
  return { title, cells: runs.map((run) => renderCount(read(run))), align: 'right', rank };
}

function stateText(state: RunState): string {
  const text = state.replace('_', ' ');
  const colours = coloursFor('stdout');
  if (state === 'interrupted') return colours.yellow(text);
  return state === 'finished' ? colours.dim(text) : text;
}

const levels = '▁▂▃▄▅▆▇';

/** Renders rates as a row of bars in the given order, 0 to 1 from lowest to highest; `·` for a missing one. */
export function renderSparkline(rates: readonly (Estimate | null)[]): string {
  return rates
    .map((rate) => {
      if (rate === null) return '·';
      return levels[Math.min(levels.length - 1, Math.floor(rate.estimate * levels.length))];
    })
    .join('');
}
