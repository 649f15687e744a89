import { resolve } from 'node:path';
import { AssayError } from '../../errors.js';
import type { ReadableRun } from '../../model/readable-run.js';
import { caseIdOf, fileOf, type RowFacts } from '../../model/result.js';
import { parseCondition } from '../../model/selection/condition.js';
import { isCalled, mayBeName } from '../../model/selection/named.js';
import { rowsMeeting } from '../../model/selection/rows-meeting.js';
import { relativePath } from '../../text/file-path.js';
import { unknownNames } from '../../text/list-text.js';
import { didYouMean } from '../../text/near-names.js';
import { filterRows, type SavedRowFilter } from './filter-rows.js';

/** Selects rows of a saved run. */
export interface SavedRunRows extends Omit<SavedRowFilter, 'among'> {
  /** Conditions that all hold. Default: none. */
  readonly where?: readonly string[];
  /** The name of the run, for errors. */
  readonly runName: string;
  /** Absolute folder to which paths are relative. */
  readonly cwd: string;
}

/**
 * The indices of the rows that match; empty if rows match the filter but not the requested state, `all` without a
 * filter. Error: `nothing-selected` when no row matches the filter in any state.
 */
export async function savedRunRows(
  run: Pick<ReadableRun, 'rows' | 'entries' | 'trace'>,
  of: SavedRunRows,
): Promise<number[] | 'all'> {
  const { rows } = run;
  const { datasets, labels, where = [], sample, limit, only, cwd } = of;
  const paths = of.paths.map((path) => pathInIds(path, cwd, rows));
  const isFiltered = [datasets, labels, paths, where, only].some((one) => one.length > 0);
  if (!isFiltered && limit === undefined && sample === undefined) return 'all';
  const conditions = where.map(parseCondition);
  const among = where.length === 0 ? undefined : await rowsMeeting(run, conditions);
  const filter = { ...of, paths, ...(among && { among }) };
  const chosen = filterRows(rows, filter);
  if (chosen.length > 0 || filterRows(rows, { ...filter, only: [] }).length > 0) return chosen;
  throw nothingMatches(rows, of);
}

/** True when no outcome decides which rows these filters choose: they name no single case, and no state of results. */
export function isFreeChoice(rows: readonly RowFacts[], of: SavedRunRows): boolean {
  const { only, limit, where, sample } = of;
  if (only.length > 0 || limit !== undefined || where !== undefined) return false;
  if (sample !== undefined) return false;
  const names = of.paths.map((path) => pathInIds(path, of.cwd, rows));
  return !names.some((name) => {
    const isNamed = isCalled(name);
    return rows.some((row) => isNamed({ ...row, evaluation: '' }));
  });
}

/**
 * Converts a path to the form of ids: relative to the working directory, with `/`. What a row of `rows` is called stays as it
 * is.
 */
export function pathInIds(given: string, cwd: string, rows: readonly RowFacts[] = []): string {
  if (!given.includes('::') && mayBeName(given) && rows.some(isCalled(given))) return given;
  const at = given.indexOf('::');
  const path = at === -1 ? given : given.slice(0, at);
  if (path.trim() === '') {
    throw new AssayError(
      'usage',
      `${JSON.stringify(given)} is not a path: a path must not be empty.`,
    );
  }
  const short = relativePath(cwd, resolve(cwd, path));
  return `${short}${at === -1 ? '' : given.slice(at)}`;
}

function nothingMatches(rows: readonly RowFacts[], of: SavedRunRows): AssayError {
  const hints = [
    ...hintsFor('dataset', of.datasets, new Set(rows.map((row) => row.dataset))),
    ...hintsFor('label', of.labels, new Set(rows.flatMap((row) => row.labels))),
    ...of.paths.flatMap((path) => didYouMean(path, placesOf(rows)) ?? []),
  ];
  return new AssayError('nothing-selected', `No result of ${of.runName} matches the filters.`, {
    hints,
  });
}

function hintsFor(kind: string, wanted: readonly string[], known: ReadonlySet<string>): string[] {
  if (wanted.length === 0 || wanted.some((name) => known.has(name))) return [];
  return [unknownNames(kind, wanted, known)];
}

function placesOf(rows: readonly RowFacts[]): Set<string> {
  const places = rows.flatMap((row) => {
    return [fileOf(row), row.evaluation, caseIdOf(row)];
  });
  return new Set(places);
}
