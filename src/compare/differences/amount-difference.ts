import { percentile } from '../../statistics/percentile.js';
import { sortedLatenciesOf } from '../cases/case-figures.js';
import { type EvalCase, meanUsed } from '../cases/eval-case.js';
import type { FullPair } from '../cases/pair-cases.js';
import { type MeasureColumn, measureColumn } from './measure-columns.js';
import { differencesOf, type MeanDifference, meanDifference } from './paired-difference.js';

/**
 * The difference of a latency or usage between two runs; plain JSON. There is no p-value: the results of a run share its load and the
 * caches of its provider, so they are not independent.
 */
interface AmountDifference extends MeanDifference {
  /** The median of the differences; `null` without pairs. */
  readonly median: number | null;
}

/** Seconds. */
export interface LatencyDifference extends AmountDifference {
  /** Percentiles over all trials of the paired cases. */
  readonly p50: { readonly base: number | null; readonly other: number | null };
  readonly p95: { readonly base: number | null; readonly other: number | null };
}

/** Usage of the calls of cases. */
interface UsedDifference extends AmountDifference {
  /** Cases of both runs that are no pair, because the amount of one of their calls is not known. */
  readonly unknown: number;
  /** Those of `unknown` with replayed calls, which cost nothing; absent for none. */
  readonly replayed?: number;
}

/** Usage of calls: US dollars, tokens and calls of models. */
export const usedAmounts = ['cost', 'tokens', 'calls'] as const;
export type UsedAmount = (typeof usedAmounts)[number];

/** The differences of the usage of two runs. */
export type UsageDifference = { readonly [Amount in UsedAmount]: UsedDifference };

/** Compares latencies over the pairs that have one in both runs; the latency of a case is the mean over its trials. */
export function latencyDifference(pairs: readonly FullPair[]): LatencyDifference {
  const { difference, column } = amountDifference(pairs, ({ latency }) => latency);
  const paired = Array.from(column.at, (position) => pairs[position]).filter(isThere);
  const base = sortedLatenciesOf(paired.map((pair) => pair.base));
  const other = sortedLatenciesOf(paired.map((pair) => pair.other));
  return {
    ...difference,
    p50: { base: percentile(base, 0.5), other: percentile(other, 0.5) },
    p95: { base: percentile(base, 0.95), other: percentile(other, 0.95) },
  };
}

/** Compares the usage of calls, each case by the mean over its trials; `undefined` unless both runs made calls. */
export function usageDifference(pairs: readonly FullPair[]): UsageDifference | undefined {
  const [first] = pairs;
  if (first?.base.usage === undefined || first.other.usage === undefined) return undefined;
  return {
    cost: usedDifference(pairs, 'cost'),
    tokens: usedDifference(pairs, 'tokens'),
    calls: usedDifference(pairs, 'calls'),
  };
}

function usedDifference(pairs: readonly FullPair[], amount: UsedAmount): UsedDifference {
  const { difference } = amountDifference(pairs, (evalCase) => meanUsed(evalCase, amount));
  const isReplayed = ({ usage }: EvalCase) => usage?.replayed === true;
  const replayed =
    amount === 'cost'
      ? pairs.filter(({ base, other }) => isReplayed(base) || isReplayed(other)).length
      : 0;
  return {
    ...difference,
    unknown: pairs.length - difference.pairs,
    ...(replayed > 0 && { replayed }),
  };
}

function amountDifference(
  pairs: readonly FullPair[],
  mean: (evalCase: EvalCase) => number | null,
): { readonly difference: AmountDifference; readonly column: MeasureColumn } {
  const found = measureColumn(pairs, { mean, count: () => 1, isShare: false });
  // Amounts that happen to be 0 and 1 are no shares.
  const column = { ...found, step: undefined };
  const differences = differencesOf(column);
  const median = percentile(differences.sorted, 0.5);
  return { difference: { ...meanDifference(column, differences), median }, column };
}

function isThere(pair: FullPair | undefined): pair is FullPair {
  return pair !== undefined;
}
