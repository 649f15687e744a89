import { type Bounds, type Estimate, noBounds } from '../../statistics/bounds.js';
import { clusteredMean } from '../../statistics/clustered-mean.js';
import { clusteredRate } from '../../statistics/clustered-share.js';
import { type Percentiles, percentilesOf } from '../../statistics/percentile.js';
import { isUnbounded, ScaleFinder } from '../../statistics/value-scale.js';
import type { RowFacts } from '../result.js';
import type { IntervalChip, ScoreFacts } from '../scores/score.js';
import { ClusterNumbers, ClusterTotals } from './cluster-totals.js';
import type { ScoreScales } from './score-values.js';
import { countedRows, scoreChips } from './summary.js';

/** Seconds, over the finished attempts that have a latency. */
export interface LatencyFigures extends Percentiles {
  readonly count: number;
}

/**
 * Chips of the attempts that count, with intervals over cases, without pruned rows. `scales` are those of the whole run
 * if the rows are a part of it.
 */
export function intervalChips(rows: Iterable<RowFacts>, scales?: ScoreScales): IntervalChip[] {
  const counted = [...countedRows(rows)].filter(({ pruned }) => pruned !== true);
  const chips = scoreChips(counted, scales);
  const totals = new Map(chips.map(({ key }) => [key, new ScoreTotals()]));
  const clusters = new ClusterNumbers();
  for (const row of counted) {
    const cluster = clusters.of(row);
    for (const score of row.scores) totals.get(score.key)?.add(cluster, score);
  }
  return chips.map((chip) => {
    const { values, means, verdicts } = totals.get(chip.key) ?? new ScoreTotals();
    const share = boundsOf(clusteredRate(verdicts.sums, verdicts.counts));
    const scale = scales?.get(chip.key) ?? values.scale;
    const mean = isUnbounded(scale)
      ? null
      : clusteredMean(means.sums, means.counts, scale, means.squares);
    if (chip.type === 'ratio') {
      const beside = chip.values && { values_interval: boundsOf(mean) };
      return { ...chip, interval: share, ...beside };
    }
    return {
      ...chip,
      interval: boundsOf(mean),
      ...(chip.passed !== undefined && { passed_interval: share }),
    };
  });
}

class ScoreTotals {
  readonly values = new ScaleFinder();
  readonly means = new ClusterTotals();
  readonly verdicts = new ClusterTotals();

  add(cluster: number, { passed, value, scale }: ScoreFacts): void {
    if (value !== undefined) {
      this.values.add(value, 1, scale);
      this.means.add(cluster, value);
    }
    if (passed !== undefined) this.verdicts.add(cluster, passed ? 1 : 0);
  }
}

function boundsOf(figure: Estimate | null): Bounds {
  return figure === null ? noBounds : { low: figure.low, high: figure.high };
}

/** Latencies of the attempts that count and have one, ascending, without pruned rows. */
export function sortedLatencies(
  rows: readonly Pick<RowFacts, 'latency' | 'pruned' | 'counted'>[],
): Float64Array {
  const latencies = new Float64Array(rows.length);
  let count = 0;
  for (const row of rows) {
    const { latency, pruned } = row.counted ?? row;
    if (latency === null || pruned === true) continue;
    latencies[count] = latency;
    count += 1;
  }
  return latencies.subarray(0, count).sort();
}

/** The figures of ascending latencies. */
export function latencyFigures(sorted: Float64Array): LatencyFigures {
  return { count: sorted.length, ...percentilesOf(sorted) };
}
