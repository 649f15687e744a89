import { noBounds } from '../../statistics/bounds.js';
import type { RowFacts } from '../result.js';
import type { CountedSummary } from '../run.js';
import type { IntervalChip } from '../scores/score.js';
import { intervalChips, latencyFigures, sortedLatencies } from './run-figures.js';
import type { ScoreScales } from './score-values.js';
import type { Summary } from './summary.js';

/** Rows as they are now, which a choice by what came of them is about, and not the attempts that count. */
export function newestOnly<R extends RowFacts>(rows: readonly R[]): readonly R[] {
  return rows.map((row) => (row.counted === undefined ? row : { ...row, counted: undefined }));
}

/** The counts of a summary, without rates and intervals. */
export function countsOf(summary: CountedSummary): CountedSummary {
  const scores = summary.scores.map(withUnknownIntervals);
  return { ...summary, pass_rate: null, scores, counts_only: true };
}

/** The counts of a summary, without rates and trial statistics. */
export function countsOfSummary(summary: Summary): Summary {
  return { ...summary, pass_rate: null, trial_fields: undefined };
}

/** A chip whose intervals are not known. */
export function withUnknownIntervals(chip: IntervalChip): IntervalChip {
  if (chip.type === 'avg') {
    const isJudged = chip.passed_interval !== undefined;
    return { ...chip, interval: noBounds, ...(isJudged && { passed_interval: noBounds }) };
  }
  const hasValues = chip.values_interval !== undefined;
  return { ...chip, interval: noBounds, ...(hasValues && { values_interval: noBounds }) };
}

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
