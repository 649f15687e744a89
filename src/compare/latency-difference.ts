import type { Steps } from '../model/steps.js';
import { percentile } from '../statistics/percentile.js';
import { sortedLatenciesOf } from './case-figures.js';
import { measureColumn } from './measure-columns.js';
import type { FullPair } from './pair-cases.js';
import { differencesOf, type MeanDifference, meanDifference } from './paired-difference.js';

/**
 * The latency of cases in two runs, in seconds; plain JSON. `higher` counts the cases that became slower. There is
 * no p-value: the results of a run share its load, so their latencies are not independent.
 */
export interface LatencyDifference extends MeanDifference {
  /** The median of the differences; `null` without pairs, like the fields below. */
  readonly median: number | null;
  /** Percentiles over all trials of the paired cases. */
  readonly p50: { readonly base: number | null; readonly other: number | null };
  readonly p95: { readonly base: number | null; readonly other: number | null };
}

/** Compares latencies over the pairs that have one in both runs; the latency of a case is the mean over its trials. */
export function* latencyDifference(pairs: readonly FullPair[]): Steps<LatencyDifference> {
  const column = yield* measureColumn(pairs, {
    mean: (evalCase) => evalCase.latency,
    count: () => 1,
    isShare: false,
  });
  const differences = yield* differencesOf(column);
  const paired = Array.from(column.at, (position) => pairs[position]).filter(isThere);
  const base = yield* sortedLatenciesOf(paired.map((pair) => pair.base));
  const other = yield* sortedLatenciesOf(paired.map((pair) => pair.other));
  return {
    ...meanDifference(column, differences),
    median: percentile(differences.sorted, 0.5),
    p50: { base: percentile(base, 0.5), other: percentile(other, 0.5) },
    p95: { base: percentile(base, 0.95), other: percentile(other, 0.95) },
  };
}

function isThere(pair: FullPair | undefined): pair is FullPair {
  return pair !== undefined;
}
