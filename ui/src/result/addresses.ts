import { isFiltered, parseView, renderView, type View } from '../dashboard/view-state.js';

/** The view of the table from which a result was opened, from its URL. */
export function viewOfResult(run: string, search: string): View {
  return { ...parseView(search), run };
}

/** The URL of a result, with the view for navigation. */
export function resultAddress(view: View, run: string, index: number): string {
  return `/runs/${encodeURIComponent(run)}/results/${index}${renderView({ ...view, run: undefined })}`;
}

/** The URL of the review of a run. */
export const reviewAddress = (run: string) => `/runs/${encodeURIComponent(run)}/review`;

/** The URL of the calibration of the judges of a run. */
export const calibrationAddress = (run: string) => `/runs/${encodeURIComponent(run)}/calibration`;

/** The URL of the calls of a run. */
export const callsAddress = (run: string) => `/runs/${encodeURIComponent(run)}/calls`;

/** The URL of the trends of a session. */
export const trendsAddress = (session: string) => `/sessions/${encodeURIComponent(session)}/trends`;

/** The URL of the matrix of some runs. */
export const matrixHref = (runs: readonly string[]) =>
  `/matrix?${new URLSearchParams(runParams(runs))}`;

/** The URL of a comparison at what a score changed by: the pairs in which it differs, the worst first. */
export function scoreDifferenceHref(runs: readonly string[], key: string): string {
  const params = new URLSearchParams(runParams(runs));
  params.append('difference', `score:${key}:other`);
  params.append('sort', `score:${key}`);
  return `/compare?${params}`;
}

const runParams = (runs: readonly string[]) => runs.map((run): [string, string] => ['run', run]);

/** The URL of the table with a view. */
export function tableAddress(view: View): string {
  return `/${renderView(view)}`;
}

/** Name of the list's contents: `failing` when the filter selects those, `matching`, or `results`. */
export function viewWord(view: View): string {
  if (!isFiltered(view)) return 'results';
  const { status, ...others } = view.filters;
  const isOnlyStatus =
    view.search === '' &&
    Object.values(others).every(({ include, exclude }) => include.length + exclude.length === 0);
  const isFailing =
    status.include.length > 0 &&
    status.include.every((value) => value === 'failed' || value === 'error');
  return isOnlyStatus && isFailing && status.exclude.length === 0 ? 'failing' : 'matching';
}

/**
 * Finds the results before and after one, by their indices in the order of the table. One that has left the
 * list (it was corrected) is looked for in `before`, the list as it was when it was still in.
 */
export function neighbours(
  list: readonly number[],
  current: number,
  before: readonly number[] = [],
) {
  const position = list.indexOf(current);
  if (position >= 0) {
    return {
      position,
      count: list.length,
      previous: list[position - 1],
      next: list[position + 1],
    };
  }
  const isListed = new Set(list);
  const place = before.indexOf(current);
  const nearest = (indices: readonly number[]) => indices.find((index) => isListed.has(index));
  const previous =
    place >= 0
      ? nearest(before.slice(0, place).reverse())
      : list.filter((index) => index < current).at(-1);
  const next =
    place >= 0 ? nearest(before.slice(place + 1)) : list.find((index) => index > current);
  return { position: undefined, count: list.length, previous, next };
}
