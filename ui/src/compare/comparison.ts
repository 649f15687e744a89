import { type Answer, call } from '../api/request.js';
import type { Pair, RunComparison } from '../api/schema.js';

export type {
  AgainstBase,
  ComparedRun,
  Pair,
  PairPage,
  RunComparison,
  RunHead,
} from '../api/schema.js';

/** A case in one of the runs. */
export type PairSide = Pair['runs'][number];

/** Reads the comparison of runs; the first is the base. */
export function getComparison(
  runs: readonly string[],
  signal: AbortSignal,
): Promise<RunComparison> {
  const query = new URLSearchParams(runs.map((run): [string, string] => ['run', run]));
  return call<'compareRuns'>('GET', '/api/compare', { query, signal });
}

/** Reads a page of pairs; `query` as in the API. */
export function getPairs(query: URLSearchParams, signal: AbortSignal): Promise<Answer<'getPairs'>> {
  return call<'getPairs'>('GET', '/api/compare/rows', { query, signal });
}
