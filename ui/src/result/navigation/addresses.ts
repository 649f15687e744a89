import { parseView, renderView, type View } from '../../dashboard/view-state.js';

/** The view of the table from which a result was opened, from its URL. */
export function viewOfResult(run: string, search: string): View {
  return { ...parseView(search), run };
}

/** The URL of a result, with the view for navigation. */
export function resultAddress(view: View, run: string, index: number): string {
  return `/runs/${encodeURIComponent(run)}/results/${index}${renderView({ ...view, run: undefined })}`;
}

/** The URL of the table with a view. */
export function tableAddress(view: View): string {
  return `/${renderView(view)}`;
}

/** Name of the list's contents: `failing` when the filter selects those, `matching`, or `results`. */
export function viewWord({ search, filters }: View, isFiltered: boolean): string {
  if (!isFiltered) return 'results';
  const { status, ...others } = filters;
  const isOnlyStatus =
    search === '' &&
    Object.values(others).every(({ include, exclude }) => include.length + exclude.length === 0);
  const isFailing =
    status.include.length > 0 &&
    status.include.every((value) => value === 'failed' || value === 'error');
  if (isOnlyStatus && isFailing && status.exclude.length === 0) return 'failing';
  return 'matching';
}
