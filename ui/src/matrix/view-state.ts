import {
  defaultView,
  type Filters,
  filterKinds,
  isChosen,
  noChoice,
  parseView,
  renderRowQuery,
} from '../dashboard/view-state.js';

/** Maximum number of runs in a matrix. */
export const maxMatrixRuns = 12;

/** The state of the matrix that is kept in the URL. */
export interface MatrixView {
  /** Ids, the base first; no run twice. */
  readonly runs: readonly string[];
  readonly search: string;
  readonly filters: Filters;
  /** True: cases whose verdicts differ; false: all others; absent: both. */
  readonly differ: boolean | undefined;
  /** What cells show: `verdict`, `cost`, `latency` or `score:KEY`. */
  readonly show: string;
}

/** Parses a query string; ignores invalid parameters. */
export function parseMatrixView(search: string): MatrixView {
  const params = new URLSearchParams(search);
  const { search: text, filters } = parseView(search);
  const differ = params.get('differ');
  const show = params.get('show') ?? '';
  return {
    runs: [...new Set(params.getAll('run'))].filter(Boolean).slice(0, maxMatrixRuns),
    search: text,
    // The API has this filter for the rows of one run alone.
    filters: { ...filters, changed: noChoice },
    differ: differ === 'true' ? true : differ === 'false' ? false : undefined,
    show: /^(cost|latency|score:.+)$/s.test(show) ? show : 'verdict',
  };
}

/** Renders a view as a query string, with `?` unless it is empty. */
export function renderMatrixView(view: MatrixView): string {
  const params = filterParams(view);
  if (view.show !== 'verdict') params.append('show', view.show);
  return params.size === 0 ? '' : `?${params}`;
}

/** The view as a query of the API for cases, without offset and limit. */
export function renderCasesQuery(view: MatrixView): string {
  const params = filterParams(view);
  const score = shownScore(view);
  if (score !== undefined) params.append('shown_score', score);
  return String(params);
}

/** The key of the score that cells show, if they show one. */
function shownScore({ show }: MatrixView): string | undefined {
  return show.startsWith('score:') ? show.slice('score:'.length) : undefined;
}

/** True when any filter is set. */
export function isFilteredMatrix({ search, differ, filters }: MatrixView): boolean {
  return (
    search !== '' || differ !== undefined || filterKinds.some((kind) => isChosen(filters[kind]))
  );
}

/** A view without filters and search; runs and what cells show stay. */
export function withoutMatrixFilters(view: MatrixView): MatrixView {
  return { ...view, search: '', differ: undefined, filters: defaultView.filters };
}

function filterParams({ runs, search, filters, differ }: MatrixView): URLSearchParams {
  const rows = renderRowQuery({ ...defaultView, search, filters, fold: false });
  return new URLSearchParams([
    ...runs.map((run): [string, string] => ['run', run]),
    ...(differ === undefined ? [] : [['differ', String(differ)] as [string, string]]),
    ...new URLSearchParams(rows),
  ]);
}
