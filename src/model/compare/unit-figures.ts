import { percentile } from '../percentile.js';
import type { Estimate } from '../run.js';
import { clusteredMean } from './clustered-mean.js';
import { clusteredRate } from './clustered-rate.js';
import { sumOf } from './number-lists.js';
import type { DrawOptions } from './paired-difference.js';
import { scoreKinds } from './score-kinds.js';
import type { Unit, UnitScore } from './unit.js';

/** A share of passes: plain JSON. */
export interface RateFigure {
  readonly passed: number;
  readonly total: number;
  /** `null` when nothing has a verdict. */
  readonly rate: Estimate | null;
}

/** One score of a run over its units: plain JSON. */
export type ScoreFigure =
  | ({ readonly key: string; readonly type: 'ratio' } & RateFigure)
  | {
      readonly key: string;
      readonly type: 'avg';
      readonly count: number;
      readonly mean: Estimate | null;
    };

/** A run in figures, over its units: plain JSON. */
export interface UnitFigures {
  readonly units: number;
  /** Units with a finished trial. */
  readonly finished: number;
  readonly pass_rate: RateFigure;
  /** In order of first appearance, as in the chips of a run. */
  readonly scores: readonly ScoreFigure[];
  /** Seconds, over units that have one (the mean of their trials); `null` when none has. */
  readonly latency: {
    readonly count: number;
    readonly mean: Estimate | null;
    readonly p5: number | null;
    readonly p50: number | null;
    readonly p95: number | null;
  };
}

/**
 * What a run comes to: the counts of its summary, with 95 % intervals that take the trials of a unit for alike.
 * See `clusteredRate` and `clusteredMean`.
 */
export function figuresOf(units: readonly Unit[], { resamples }: DrawOptions = {}): UnitFigures {
  return {
    units: units.length,
    finished: units.filter(({ trials }) => trials > 0).length,
    pass_rate: rateFigure(collect(units, passesOf)),
    scores: scoreFigures(units, resamples),
    latency: latencyFigure(units, resamples),
  };
}

/** Sums and counts of the units that have any: both lists of one length. */
interface Totals {
  readonly sums: Float64Array;
  readonly counts: Float64Array;
}

type Total = Pick<UnitScore, 'sum' | 'count'>;

function collect(units: readonly Unit[], read: (unit: Unit) => Total | null): Totals {
  const sums: number[] = [];
  const counts: number[] = [];
  for (const unit of units) {
    const total = read(unit);
    if (total === null || total.count === 0) continue;
    sums.push(total.sum);
    counts.push(total.count);
  }
  return { sums: new Float64Array(sums), counts: new Float64Array(counts) };
}

function passesOf({ passes, judged }: Unit): Total {
  return { sum: passes, count: judged };
}

function rateFigure({ sums, counts }: Totals): RateFigure {
  return { passed: sumOf(sums), total: sumOf(counts), rate: clusteredRate(sums, counts) };
}

function scoreFigures(units: readonly Unit[], resamples: number | undefined): ScoreFigure[] {
  return Array.from(scoreKinds(units), ([key, kind]): ScoreFigure => {
    const totals = collect(units, (unit) => {
      const score = unit.scores.get(key);
      return score?.kind === kind ? score : null;
    });
    if (kind === 'ratio') return { key, type: 'ratio', ...rateFigure(totals) };
    const { sums, counts } = totals;
    return { key, type: 'avg', count: sumOf(counts), mean: clusteredMean(sums, counts, resamples) };
  });
}

function latencyFigure(
  units: readonly Unit[],
  resamples: number | undefined,
): UnitFigures['latency'] {
  const { sums, counts } = collect(units, ({ latency }) =>
    latency === null ? null : { sum: latency, count: 1 },
  );
  const sorted = sums.slice().sort();
  return {
    count: sums.length,
    mean: clusteredMean(sums, counts, resamples),
    p5: percentile(sorted, 0.05),
    p50: percentile(sorted, 0.5),
    p95: percentile(sorted, 0.95),
  };
}
