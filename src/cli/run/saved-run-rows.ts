import { resolve } from 'node:path';
import { AssayError } from '../../errors.js';
import { caseIdOf, fileOf, type RowFacts } from '../../model/result.js';
import { filterRows, type SavedRowFilter } from '../../runner/planning/filter-rows.js';
import { relativePath } from '../../text/file-path.js';
import { unknownNames } from '../../text/list-text.js';
import { didYouMean } from '../../text/near-names.js';

/** Selects rows of a saved run. */
export interface SavedRunRows extends SavedRowFilter {
  /** The name of the run, for errors. */
  readonly runName: string;
  /** Absolute folder to which paths are relative. */
  readonly cwd: string;
}

/**
 * The indices of the rows that match; empty if rows match the filter but not the requested state, `all` without a
 * filter. Error: `nothing-selected` when no row matches the filter in any state.
 */
export function savedRunRows(rows: readonly RowFacts[], of: SavedRunRows): number[] | 'all' {
  const { datasets, labels, limit, only, cwd } = of;
  const paths = of.paths.map((path) => pathInIds(path, cwd));
  const isFiltered = [datasets, labels, paths].some((one) => one.length > 0);
  if (!isFiltered && only.length === 0 && limit === undefined) return 'all';
  const filter = { ...of, paths };
  const chosen = filterRows(rows, filter);
  if (chosen.length > 0 || filterRows(rows, { ...filter, only: [] }).length > 0) return chosen;
  throw nothingMatches(rows, of);
}

/** True when no outcome decides which rows these filters choose: they name no single case, and no state of results. */
export function isFreeChoice(rows: readonly RowFacts[], of: SavedRunRows): boolean {
  if (of.only.length > 0 || of.limit !== undefined) return false;
  const paths = new Set(of.paths.map((path) => pathInIds(path, of.cwd)));
  return !rows.some((row) => paths.has(caseIdOf(row)));
}

/** Converts a path to the form of ids: relative to the working directory, with `/`. */
export function pathInIds(given: string, cwd: string): string {
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
