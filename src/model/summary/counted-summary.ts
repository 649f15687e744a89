import type { Bounds } from '../../statistics/bounds.js';
import type { Percentiles } from '../../statistics/percentile.js';
import type { RowFacts } from '../result.js';
import {
  type IntervalChip,
  intervalChips,
  latencyFigures,
  sortedLatencies,
} from './run-figures.js';
import type { ScoreScales } from './score-values.js';
import type { Summary } from './summary.js';

/** Results by verdict, over the attempts that count; unfinished and pruned ones are left out. */
export interface VerdictCounts {
  readonly passed: number;
  readonly failed: number;
  readonly errors: number;
  /** Completed, without a score that passed or failed. */
  readonly none: number;
}

/**
 * What a run says of the system it evaluates, over the attempts of the last full pass: the figures that gates judge and
 * that every report shows.
 */
export interface CountedSummary {
  /** `passed / of` with its 95 % interval, `of` being passed + failed + errors; `null` if that is 0. */
  readonly pass_rate: (Bounds & { readonly passed: number; readonly of: number }) | null;
  readonly verdicts: VerdictCounts;
  /** Seconds; `null` without latencies. */
  readonly latency: Percentiles;
  /** Number of results that ran again after that pass: for them, an earlier attempt counts. */
  readonly repeats: number;
  /** Number of full passes; 1 where no other is known. */
  readonly passes: number;
  /** One for each score key, in order of first appearance. */
  readonly scores: readonly IntervalChip[];
}

/** Summarizes rows, of which `summary` has the counts; `scales` are those of the whole run if the rows are a part of it. */
export function countedSummary(
  rows: readonly RowFacts[],
  { pass_rate, verdicts, repeats }: Pick<Summary, 'pass_rate' | 'verdicts' | 'repeats'>,
  { passes = 1, scales }: { readonly passes?: number; readonly scales?: ScoreScales } = {},
): CountedSummary {
  const { of: _, ...counts } = verdicts;
  const { p50, p95 } = latencyFigures(sortedLatencies(rows));
  return {
    pass_rate: pass_rate && {
      passed: pass_rate.passed,
      of: pass_rate.total,
      low: pass_rate.low,
      high: pass_rate.high,
    },
    verdicts: counts,
    latency: { p50, p95 },
    repeats: repeats?.results ?? 0,
    passes,
    scores: intervalChips(rows, scales),
  };
}
