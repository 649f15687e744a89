import { useQueries, useQuery } from '@tanstack/react-query';
import type { Change, ChangeCounts } from '../../../src/compare/change.js';
import { getRows, type SummedRows } from '../api/client.js';
import { keys } from '../api/keys.js';
import { getComparison, getPairs, type Pair, type PairPage } from './comparison.js';

/** Pairs that are asked for at a time. */
const pageSize = 100;
/** A page that is out of sight is forgotten after this, in milliseconds. */
const keptFor = 60_000;

/** What runs differ in; read for two runs and more. */
export function useComparison(runs: readonly string[]) {
  return useQuery({
    queryKey: keys.comparison(runs),
    queryFn: ({ signal }) => getComparison(runs, signal),
    enabled: runs.length > 1,
  });
}

/** The runs, numbers of the pairs that match, and for which query they are. */
export interface PairFigures extends Pick<PairPage, 'runs' | 'total' | 'filtered' | 'changes'> {
  readonly query: string;
}

/** How many pairs match; the answer before stays until there is a new one. */
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

/** The pair at a position of the list; `undefined` until it has been read. */
export type PairAt = (position: number) => Pair | undefined;

/** The pairs from `first` up to and without `end`, in pages that are read when they come near. */
export function usePairs(
  runs: readonly string[],
  query: string,
  first: number,
  end: number,
): PairAt {
  const from = Math.max(0, Math.floor(first / pageSize));
  const to = Math.max(from + 1, Math.ceil(end / pageSize));
  return useQueries({
    queries: Array.from({ length: runs.length > 1 ? to - from : 0 }, (_, n) => ({
      ...pageOptions(runs, query, from + n),
      gcTime: keptFor,
    })),
    combine: (pages) => (position: number) =>
      pages[Math.floor(position / pageSize) - from]?.data?.pairs[position % pageSize],
  });
}

/** How many pairs have one of some changes in any of the runs; what else is filtered stays as it is. */
export function useChangeTotals(
  runs: readonly string[],
  query: string,
  groups: readonly (readonly Change[])[],
  counts: readonly (ChangeCounts | null)[],
): readonly (number | undefined)[] {
  // With one run beside the base they are known; with more, a pair may be in several counts.
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

/** What the runs have by themselves: `error` where one cannot be read. */
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

/** A page, and what it was asked for by. */
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
