import { useQueries, useQuery } from '@tanstack/react-query';
import { keys } from '../api/keys.js';
import { call } from '../api/request.js';
import type { MatrixPage } from '../api/schema.js';

/** Cases per request. */
const pageSize = 100;
/** Milliseconds after which an invisible page leaves the cache. */
const keptFor = 60_000;

/** A case with its cells. */
export type MatrixCase = MatrixPage['cases'][number];

/** The figures of at least two runs, each compared with the first. */
export const useVariants = (runs: readonly string[]) =>
  useQuery({
    queryKey: [...keys.comparison(runs), 'variants'],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams(runs.map((run): [string, string] => ['run', run]));
      return call('get', '/api/matrix', { query, signal });
    },
    enabled: runs.length > 1,
  });

/** The first page of cases, and the query that it belongs to. */
export interface MatrixFigures extends MatrixPage {
  readonly askedFor: readonly string[];
  readonly query: string;
}

/** The groups and the number of matching cases; keeps the previous answer until there is a new one. */
export const useMatrixFigures = (runs: readonly string[], query: string) =>
  useQuery({
    ...pageOptions(runs, query, 0),
    enabled: runs.length > 1,
    placeholderData: (before: MatrixFigures | undefined) =>
      before?.askedFor.join() === runs.join() ? before : undefined,
  });

/** The cases at some positions, in pages that are loaded when they are near. */
export function useCases(
  runs: readonly string[],
  query: string,
  positions: readonly number[],
): (position: number) => MatrixCase | undefined {
  const pages = [...new Set(positions.map((position) => Math.floor(position / pageSize)))];
  return useQueries({
    queries: pages.map((page) => ({ ...pageOptions(runs, query, page), gcTime: keptFor })),
    combine: (answers) => (position: number) =>
      answers[pages.indexOf(Math.floor(position / pageSize))]?.data?.cases[position % pageSize],
  });
}

/** The outputs of a case in all runs. */
export const useOutputs = (runs: readonly string[], id: string) =>
  useQuery({
    queryKey: [...keys.comparison(runs), 'outputs', id],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams(runs.map((run): [string, string] => ['run', run]));
      query.set('id', id);
      return call('get', '/api/matrix/outputs', { query, signal });
    },
  });

function pageOptions(runs: readonly string[], query: string, page: number) {
  return {
    queryKey: [...keys.comparison(runs), 'matrix', query, page],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<MatrixFigures> => {
      const params = new URLSearchParams(query);
      params.set('offset', String(page * pageSize));
      params.set('limit', String(pageSize));
      const answer = await call('get', '/api/matrix/rows', { query: params, signal });
      return { ...answer, askedFor: runs, query };
    },
  };
}
