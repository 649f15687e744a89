import { useQueries, useQuery } from '@tanstack/react-query';
import type { Change, ChangeCounts } from '../../../src/compare/cases/change.js';
import { hasCalls } from '../../../src/model/calls/run-usage.js';
import { getComparison, getPairs, getRows, type SummedRows } from '../api/client.js';
import { keys } from '../api/keys.js';
import type { Pair, PairPage } from '../api/schema.js';

/** Pairs per request. */
const pageSize = 100;
/** Milliseconds after which an invisible page leaves the cache. */
const keptFor = 60_000;

/** The comparison of at least two runs. */
export function useComparison(runs: readonly string[]) {
  return useQuery({
    queryKey: keys.comparison(runs),
    queryFn: ({ signal }) => getComparison(runs, signal),
    enabled: runs.length > 1,
  });
}

/** The runs, the numbers of matching pairs, and the query that they belong to. */
export interface PairFigures extends Pick<PairPage, 'runs' | 'total' | 'filtered' | 'changes'> {
  readonly query: string;
}

/** The number of matching pairs; keeps the previous answer until there is a new one. */
export function usePairFigures(runs: readonly string[], query: string) {
  return useQuery({
    ...pageOptions(runs, query, 0),
    enabled: runs.length > 1,
    select: ({ runs, total, filtered, changes, query }): PairFigures => ({
      runs,
      total,
      filtered,
      changes,
      query,
    }),
    placeholderData: (before: KeptPage | undefined) =>
      before?.askedFor.join() === runs.join() ? before : undefined,
  });
}

/** The pairs of a list, as far as they are loaded. */
export interface Pairs {
  readonly at: (position: number) => Pair | undefined;
  /** The pairs that are loaded together with the one at a position. */
  readonly pageOf: (position: number) => readonly Pair[];
}

/** The pairs from `first` to `end` (exclusive), in pages that are loaded when they come near. */
export function usePairs(
  runs: readonly string[],
  query: string,
  first: number,
  end: number,
): Pairs {
  const from = Math.max(0, Math.floor(first / pageSize));
  const to = Math.max(from + 1, Math.ceil(end / pageSize));
  return useQueries({
    queries: Array.from({ length: runs.length > 1 ? to - from : 0 }, (_, n) => ({
      ...pageOptions(runs, query, from + n),
      gcTime: keptFor,
    })),
    combine: (pages) => {
      const pageOf = (position: number) =>
        pages[Math.floor(position / pageSize) - from]?.data?.pairs ?? [];
      return { at: (position) => pageOf(position)[position % pageSize], pageOf };
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
      params.delete('change');
      params.delete('sort');
      params.delete('order');
      for (const change of changes) params.append('change', change);
      params.set('limit', '0');
      return {
        queryKey: [...keys.comparison(runs), 'total', String(params)],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => getPairs(params, signal),
        select: ({ filtered }: PairPage) => filtered,
        enabled: runs.length > 2,
      };
    }),
    combine: (answers) => answers.map(({ data }) => data),
  });
  if (!only) return totals;
  return groups.map((changes) => changes.reduce((sum, change) => sum + only[change], 0));
}

/** The facets of each run; `error` if one cannot be read. */
export function useRunFacets(runs: readonly string[]) {
  return useQueries({
    queries: runs.map((run) => ({
      queryKey: keys.rowPage(run, 'facets', 0),
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        getRows(run, new URLSearchParams({ limit: '0' }), signal),
    })),
    combine: (answers) => ({
      datasets: namesOf(answers, 'dataset'),
      labels: namesOf(answers, 'label'),
      scores: scoresOf(answers),
      hasCalls: answers.some(({ data }) => hasCalls(data?.summary.usage)),
      errors: answers.map(({ error }) => error),
      totals: answers.map(({ data }) => data?.total),
    }),
  });
}

type FacetAnswers = readonly { readonly data: SummedRows | undefined }[];

function scoresOf(answers: FacetAnswers): readonly string[] {
  const keys = answers.flatMap(({ data }) => data?.summary.chips.map(({ key }) => key) ?? []);
  return [...new Set(keys)];
}

function namesOf(answers: FacetAnswers, kind: 'dataset' | 'label'): readonly string[] {
  const names = answers.flatMap(
    ({ data }) => data?.summary.facets[kind].map(({ value }) => value) ?? [],
  );
  return [...new Set(names)];
}

/** A page, and the query that it belongs to. */
interface KeptPage extends PairPage {
  readonly askedFor: readonly string[];
  readonly query: string;
}

function pageOptions(runs: readonly string[], query: string, page: number) {
  return {
    queryKey: [...keys.comparison(runs), query, page],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<KeptPage> => {
      const params = new URLSearchParams(query);
      params.set('offset', String(page * pageSize));
      params.set('limit', String(pageSize));
      return { ...(await getPairs(params, signal)), askedFor: runs, query };
    },
  };
}
