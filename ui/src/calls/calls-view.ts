import { useQueries, useQuery } from '@tanstack/react-query';
import { keys } from '../api/keys.js';
import { call } from '../api/request.js';
import type { CallsPage, ListedCall } from '../api/schema.js';
import { useUrlView } from '../app/url-view.js';
import {
  appendChoice,
  type ChosenValues,
  isChosen,
  noChoice,
  parseChoice,
} from '../dashboard/view-state.js';

/** The filters of calls, as the API names them. */
const callFilters = ['role', 'model', 'provider', 'tool', 'state'] as const;
export type CallFilterKind = (typeof callFilters)[number];

/** The state of the page that is kept in the URL. */
export interface CallsView {
  readonly sort: string;
  readonly descending: boolean;
  readonly search: string;
  readonly filters: Readonly<Record<CallFilterKind, ChosenValues>>;
}

const firstSort = 'cost';

/** Parses a query string. */
function parseCallsView(search: string): CallsView {
  const params = new URLSearchParams(search);
  const sort = params.get('sort') ?? firstSort;
  return {
    sort,
    descending: params.get('order') !== 'asc',
    search: params.get('search') ?? '',
    filters: Object.fromEntries(
      callFilters.map((kind) => [kind, parseChoice(params.getAll(kind))]),
      // One entry for each kind.
    ) as Record<CallFilterKind, ChosenValues>,
  };
}

function filterParams({ search, filters }: CallsView): URLSearchParams {
  const params = new URLSearchParams();
  if (search !== '') params.append('search', search);
  for (const kind of callFilters) appendChoice(params, kind, filters[kind]);
  return params;
}

function renderCallsView(view: CallsView): string {
  const params = filterParams(view);
  if (view.sort !== firstSort) params.append('sort', view.sort);
  if (!view.descending) params.append('order', 'asc');
  return params.size === 0 ? '' : `?${params}`;
}

/** The view in the URL of the calls of a run, and how to set it. */
export const useCallsView = (path: string) => useUrlView(path, parseCallsView, renderCallsView);

export type SetCallsView = ReturnType<typeof useCallsView>[1];

export function isFilteredCalls({ search, filters }: CallsView): boolean {
  return search !== '' || callFilters.some((kind) => isChosen(filters[kind]));
}

/** The view without filters and search. */
export function withoutCallFilters(view: CallsView): CallsView {
  const filters = Object.fromEntries(callFilters.map((kind) => [kind, noChoice]));
  return { ...view, search: '', filters: filters as CallsView['filters'] };
}

/** The view as a query of the API, without offset and limit. */
export function callsQuery(view: CallsView): string {
  const params = filterParams(view);
  params.append('sort', view.sort);
  params.append('order', view.descending ? 'desc' : 'asc');
  return String(params);
}

/** Calls per request. */
const pageSize = 100;
/** Milliseconds after which an invisible page leaves the cache. */
const keptFor = 60_000;

export type CallsSummary = NonNullable<CallsPage['summary']>;

/** The first page with the figures; keeps the previous answer until there is a new one. */
export const useCallsFigures = (run: string, query: string) =>
  useQuery({
    ...pageOptions(run, query, 0),
    placeholderData: (before: CallsPage | undefined) =>
      before?.run_id === run ? before : undefined,
  });

/** The calls at some positions, in pages that are loaded when they are near. */
export function useCallRows(
  run: string,
  query: string,
  positions: readonly number[],
): (position: number) => ListedCall | undefined {
  const pages = [...new Set(positions.map((position) => Math.floor(position / pageSize)))];
  return useQueries({
    queries: pages.map((page) => ({ ...pageOptions(run, query, page), gcTime: keptFor })),
    combine: (answers) => (position: number) =>
      answers[pages.indexOf(Math.floor(position / pageSize))]?.data?.calls[position % pageSize],
  });
}

function pageOptions(run: string, query: string, page: number) {
  return {
    // Read again with the comparisons of the run, while it is executed.
    queryKey: [...keys.comparison([run]), 'calls', query, page],
    queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<CallsPage> => {
      const params = new URLSearchParams(query);
      params.set('offset', String(page * pageSize));
      params.set('limit', String(pageSize));
      if (page > 0) params.set('summary', 'false');
      return call('get', '/api/runs/{run_id}/calls', {
        path: { run_id: run },
        query: params,
        signal,
      });
    },
  };
}
