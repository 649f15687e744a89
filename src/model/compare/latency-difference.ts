import { percentile } from '../../statistics/percentile.js';
import type { Steps } from '../steps.js';
import { measureColumn } from './measure-columns.js';
import type { FullPair } from './pair-units.js';
import {
  type DrawOptions,
  differencesOf,
  type PairedDifference,
  pairedDifference,
} from './paired-difference.js';

/** The latency of units in two runs, in seconds: plain JSON. `higher` counts the units that became slower. */
export interface LatencyDifference extends PairedDifference {
  /** The middle one of the differences; `null` without pairs, like all that follows. */
  readonly median: number | null;
  /** What half, and what 95 %, of the paired units stay below. */
  readonly p50: { readonly base: number | null; readonly other: number | null };
  readonly p95: { readonly base: number | null; readonly other: number | null };
}

/** Compares latencies over the pairs that have one in both runs; a unit's latency is its mean over trials. */
export function* latencyDifference(
  pairs: readonly FullPair[],
  options: DrawOptions,
): Steps<LatencyDifference> {
  const { base, other } = yield* measureColumn(pairs, (unit) => unit.latency);
  const differences = yield* differencesOf(base, other);
  const difference = yield* pairedDifference(base, other, options, differences);
  const sortedBase = base.slice().sort();
  yield;
  const sortedOther = other.slice().sort();
  yield;
  return {
    ...difference,
    median: percentile(differences.sorted, 0.5),
    p50: { base: percentile(sortedBase, 0.5), other: percentile(sortedOther, 0.5) },
    p95: { base: percentile(sortedBase, 0.95), other: percentile(sortedOther, 0.95) },
  };
}
