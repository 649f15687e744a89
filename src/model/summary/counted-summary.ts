import type { RowFacts } from '../result.js';
import type { CountedSummary } from '../run.js';
import { intervalChips, latencyFigures, sortedLatencies } from './run-figures.js';
import type { ScoreScales } from './score-values.js';
import type { Summary } from './summary.js';

/** Summarizes rows, of which `summary` has the counts; `scales` are those of the whole run if the rows are a part of it. */
export function countedSummary(
  rows: readonly RowFacts[],
  {
    pass_rate,
    verdicts,
    repeats,
    clusters,
  }: Pick<Summary, 'pass_rate' | 'verdicts' | 'repeats' | 'clusters'>,
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
    ...(clusters !== undefined && { clusters }),
    verdicts: counts,
    latency: { p50, p95 },
    repeats: repeats?.results ?? 0,
    passes,
    scores: intervalChips(rows, scales),
  };
}
