import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRowIndices, getRowPage, getRows, type Run, type SummedRows } from './client.js';
import { keys } from './keys.js';
import { call } from './request.js';
import type { RowPage, RowSummary, TableRow } from './schema.js';

/** Rows per request. */
export const pageSize = 200;

const none: readonly never[] = [];

/** Milliseconds after which an invisible page leaves the cache. */
const keptFor = 10_000;

/** The number of matching rows, and their summary. */
export interface RowFigures {
  /** The number of results of the run. */
  readonly total: number;
  /** The number of matching results. */
  readonly filtered: number;
  /** Rows of the table: fewer than match when trials are folded. */
  readonly count: number;
  readonly summary: RowSummary;
  /** The rows of the first page. */
  readonly first: readonly TableRow[];
}

/** The visible rows. */
export interface Rows {
  /** The row at a position of the table; `undefined` until it is loaded. */
  at(position: number): TableRow | undefined;
  /** The rows that were loaded together with that at a position. */
  pageOf(position: number): readonly TableRow[];
  readonly isReading: boolean;
}

/** The number of matching rows and their summary; keeps the previous answer until there is a new one. */
export function useRowFigures(run: string | undefined, query: string) {
  return useQuery({
    ...firstPageOptions(run ?? '', query),
    enabled: run !== undefined,
    select: ({ total, filtered, count, summary, rows: first }): RowFigures => ({
      total,
      filtered,
      count,
      summary,
      first,
    }),
    placeholderData: (
      before: SummedRows | undefined,
      query?: { readonly queryKey: readonly unknown[] },
    ) => (query?.queryKey[1] === run ? before : undefined),
  });
}

/** Whether the first page of a view is loaded; does not load it. */
export function useIsLoaded(run: string, query: string): boolean {
  const { data = false } = useQuery({
    ...firstPageOptions(run, query),
    enabled: false,
    select: () => true,
  });
  return data;
}

/** The rows on some pages, which are read when they come into view; a page that is scrolled past is not read further. */
export function useRows(run: string, query: string, pages: readonly number[]): Rows {
  return useQueries({
    queries: pages.map((page) => pageOptions(run, query, page)),
    combine: (answers) => ({
      pageOf: (position: number) =>
        answers[pages.indexOf(Math.floor(position / pageSize))]?.data?.rows ?? none,
      at: (position: number) =>
        answers[pages.indexOf(Math.floor(position / pageSize))]?.data?.rows[position % pageSize],
      isReading: answers.some(({ isFetching }) => isFetching),
    }),
  });
}

/** Rows of single results by their index in the run, wherever a view shows them; with the `fields` of a query. */
export function useRowsOf(
  run: string,
  indices: readonly number[],
  fields: string,
): (index: number) => TableRow | undefined {
  const pages = [...new Set(indices.map((index) => Math.floor(index / pageSize)))];
  return useQueries({
    // Without filters and in their own order, rows lie at their index.
    queries: pages.map((page) => pageOptions(run, fields, page)),
    combine: (answers) => (index: number) =>
      answers[pages.indexOf(Math.floor(index / pageSize))]?.data?.rows[index % pageSize],
  });
}

/** The indices of all results that match, in the order of the table; trials are not folded. */
export function useRowIndices(run: string, query: string, enabled = true) {
  return useQuery({
    ...indicesOptions(run, query),
    select: ({ indices }) => indices,
    enabled,
    placeholderData: keepPreviousData,
  });
}

/**
 * The comparison of a run with the one before. The first answer about a long run does not wait for it; then this asks
 * once more, patiently. `known` is from that answer.
 */
export function usePreviousRun(
  { run_id, state }: Pick<Run, 'run_id' | 'state'>,
  known: RowSummary['previous'],
): RowSummary['previous'] {
  // The rows of a run in progress are read again with each change, and its comparison with them.
  const isLate = known?.is_current === false && state !== 'running';
  const { data, isFetching } = useQuery({
    queryKey: keys.previousRun(run_id),
    queryFn: async ({ signal }) => {
      const { summary } = await getRows(run_id, patient, signal);
      return summary.previous;
    },
    enabled: isLate,
  });
  return isLate && !isFetching && data !== undefined ? data : known;
}

const patient = new URLSearchParams({ wait: 'true', limit: '0' });

/** Why the results that match failed. `query`: filters alone. */
export function useRowReasons(run: string, query: string, enabled: boolean) {
  return useQuery({
    queryKey: keys.reasons(run, query),
    queryFn: ({ signal }) =>
      call('get', '/api/runs/{run_id}/rows/reasons', {
        path: { run_id: run },
        query: new URLSearchParams(query),
        signal,
      }),
    enabled,
    placeholderData: keepPreviousData,
  });
}

/** The fields that the results of a run have. */
export function useRowFields(run: string) {
  return useQuery({
    queryKey: keys.rowFields(run),
    queryFn: ({ signal }) =>
      call('get', '/api/runs/{run_id}/rows/fields', { path: { run_id: run }, signal }),
    select: ({ fields }) => fields,
  });
}

/** The values of a field (`tool`, `metadata.tier` …), with the number of matching results; conditions about it are left out. */
export function useRowValues(run: string, field: string, query: string) {
  return useQuery({ ...rowValuesOptions(run, field, query), placeholderData: keepPreviousData });
}

/** The request for the facets of all results. */
export function facetsOptions(run: string) {
  return {
    queryKey: keys.rowPage(run, 'facets', 0),
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      getRows(run, new URLSearchParams({ limit: '0' }), signal),
  };
}

/** The request for these values. */
export function rowValuesOptions(run: string, field: string, query: string) {
  const params = indicesQuery(query);
  for (const name of ['sort', 'order', 'by']) params.delete(name);
  params.set('of', field);
  return {
    queryKey: keys.rowValues(run, String(params)),
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      call('get', '/api/runs/{run_id}/rows/values', {
        path: { run_id: run },
        query: params,
        signal,
      }),
  };
}

/** The request that splits a line of search into conditions and words. */
export function searchLineOptions(text: string) {
  return {
    queryKey: keys.searchLine(text),
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      call('get', '/api/search-line', { query: new URLSearchParams({ text }), signal }),
    // What a line means never changes.
    staleTime: Number.POSITIVE_INFINITY,
  };
}

/** Reads a line of search. Without an answer, everything is searched for. */
export function useSearchLine() {
  const cache = useQueryClient();
  return (text: string) =>
    cache.fetchQuery(searchLineOptions(text)).catch(() => ({ conditions: [], search: text }));
}

/** The request for the indices of all results that match, and of those in each group. */
export function indicesOptions(run: string, query: string) {
  return {
    queryKey: keys.indices(run, query),
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      getRowIndices(run, indicesQuery(query), signal),
  };
}

/** The query for the indices: the query of the rows, without folding and columns. */
export function indicesQuery(query: string): URLSearchParams {
  const params = withoutColumns(query);
  params.delete('fold');
  return params;
}

/** The query of the rows, without what only added columns need. */
export function withoutColumns(query: string): URLSearchParams {
  const params = new URLSearchParams(query);
  for (const name of ['field', 'histogram']) params.delete(name);
  return params;
}

/** The first page of a view includes the summary, so one request is enough at first. */
function firstPageOptions(run: string, query: string) {
  return {
    queryKey: keys.rowPage(run, query, 0),
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      getRows(run, pageQuery(query, 0), signal),
  };
}

function pageOptions(run: string, query: string, page: number) {
  const { queryFn: readFirst } = firstPageOptions(run, query);
  return {
    queryKey: keys.rowPage(run, query, page),
    queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<RowPage> =>
      page === 0 ? readFirst({ signal }) : getRowPage(run, pageQuery(query, page), signal),
    gcTime: keptFor,
  };
}

function pageQuery(query: string, page: number): URLSearchParams {
  const params = new URLSearchParams(query);
  params.set('offset', String(page * pageSize));
  params.set('limit', String(pageSize));
  return params;
}
