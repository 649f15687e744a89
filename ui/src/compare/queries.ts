import { useQueries, useQuery } from '@tanstack/react-query';
import type { Change, ChangeCounts } from '../../../src/compare/cases/change.js';
import { hasCalls } from '../../../src/model/calls/run-usage.js';
import { keys } from '../api/keys.js';
import { call } from '../api/request.js';
import { facetsOptions } from '../api/row-queries.js';
import type { Pair, PairPage, RowSummary } from '../api/schema.js';

/** Pairs per request. */
const pageSize = 100;
/** Milliseconds after which an invisible page leaves the cache. */
const keptFor = 60_000;

/** The comparison of at least two runs; the first is the base. */
export const useComparison = (runs: readonly string[]) =>
  useQuery({
    queryKey: keys.comparison(runs),
    queryFn: ({ signal }) => {
      const query = new URLSearchParams(runs.map((run): [string, string] => ['run', run]));
      return call('get', '/api/compare', { query, signal });
    },
    enabled: runs.length > 1,
  });

/** A page of pairs, and the query that it belongs to. */
export interface PairFigures extends PairPage {
  readonly askedFor: readonly string[];
  readonly query: string;
}

/** The number of matching pairs; keeps the previous answer until there is a new one. */
export const usePairFigures = (runs: readonly string[], query: string) =>
  useQuery({
    ...pageOptions(runs, query, 0),
    enabled: runs.length > 1,
    placeholderData: (before: PairFigures | undefined) =>
      before?.askedFor.join() === runs.join() ? before : undefined,
  });

/**
 * The pairs from `first` to `end` (exclusive), in pages that are loaded when they come near. `pageOf`: those that are
 * loaded together with the one at a position.
 */
export function usePairs(runs: readonly string[], query: string, first: number, end: number) {
  const from = Math.max(0, Math.floor(first / pageSize));
  const to = Math.max(from + 1, Math.ceil(end / pageSize));
  return useQueries({
    queries: Array.from({ length: runs.length > 1 ? to - from : 0 }, (_, n) => ({
      ...pageOptions(runs, query, from + n),
      gcTime: keptFor,
    })),
    combine: (pages) => {
      const pageOf = (position: number): readonly Pair[] =>
        pages[Math.floor(position / pageSize) - from]?.data?.pairs ?? [];
      return { pageOf, at: (position: number) => pageOf(position)[position % pageSize] };
    },
  });
}

/** The number of pairs with one of some changes in any run; other filters are unchanged. */
export function useChangeTotals(
  runs: readonly string[],
  query: string,
  groups: readonly (readonly Change[])[],
  counts: readonly (ChangeCounts | null)[],
): readonly (number | undefined)[] {
  // With two runs, the numbers are known; with more, a pair may be in several counts.
  const only = runs.length === 2 ? counts[1] : undefined;
  const totals = useQueries({
    queries: groups.map((changes) => {
      const params = new URLSearchParams(query);
      for (const name of ['change', 'sort', 'order']) params.delete(name);
      for (const change of changes) params.append('change', change);
      params.set('limit', '0');
      return {
        queryKey: [...keys.comparison(runs), 'total', String(params)],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => getPairs(params, signal),
        enabled: runs.length > 2,
      };
    }),
    combine: (answers) => answers.map(({ data }) => data?.filtered),
  });
  if (!only) return totals;
  return groups.map((changes) => changes.reduce((sum, change) => sum + only[change], 0));
}

/** The facets of each run; `errors`: why one cannot be read. */
export function useRunFacets(runs: readonly string[]) {
  return useQueries({
    queries: runs.map(facetsOptions),
    combine: (answers) => {
      const summaries = answers.flatMap(({ data }) => data?.summary ?? []);
      const inAny = (namesIn: (of: RowSummary) => readonly string[]) => [
        ...new Set(summaries.flatMap(namesIn)),
      ];
      return {
        datasets: inAny(({ facets }) => facets.dataset.map(({ value }) => value)),
        labels: inAny(({ facets }) => facets.label.map(({ value }) => value)),
        scores: inAny(({ chips }) => chips.map(({ key }) => key)),
        hasCalls: summaries.some(({ usage }) => hasCalls(usage)),
        errors: answers.map(({ error }) => error),
      };
    },
  });
}

function pageOptions(runs: readonly string[], query: string, page: number) {
  return {
    queryKey: [...keys.comparison(runs), query, page],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<PairFigures> => {
      const params = new URLSearchParams(query);
      params.set('offset', String(page * pageSize));
      params.set('limit', String(pageSize));
      return { ...(await getPairs(params, signal)), askedFor: runs, query };
    },
  };
}

const getPairs = (query: URLSearchParams, signal: AbortSignal) =>
  call('get', '/api/compare/rows', { query, signal });
