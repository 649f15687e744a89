import { latencyFigures } from '../model/run-figures.js';
import { ScoreValues } from '../model/score-values.js';
import { eachInSteps, finish, type Steps } from '../model/steps.js';
import type { Estimate } from '../statistics/bounds.js';
import { clusteredMean } from '../statistics/clustered-mean.js';
import { clusteredRate } from '../statistics/clustered-share.js';
import { type Percentiles, percentile } from '../statistics/percentile.js';
import { sumOf } from '../statistics/sums.js';
import { isUnbounded } from '../statistics/value-scale.js';
import { scoreKinds } from './score-kinds.js';
import { addValues, latenciesOf, scoreOf, type Unit } from './unit.js';

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
      /** Over all trials, where the values are unbounded: then the mean has no interval and is not shown. */
      readonly percentiles?: Percentiles;
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
    readonly p5: number | null;
    readonly p50: number | null;
    readonly p95: number | null;
  };
}

/**
 * What a run comes to: the counts of its summary, with 95 % intervals that take the trials of a unit for alike.
 * See `clusteredRate` and `clusteredMean`.
 */
export function figuresOf(units: readonly Unit[]): UnitFigures {
  return finish(unitFigures(units));
}

/** The same in steps. */
export function* unitFigures(units: readonly Unit[]): Steps<UnitFigures> {
  const judged = yield* collect(units, (unit, add) => add(unit.passes, unit.judged));
  return {
    units: units.length,
    finished: units.reduce((count, { trials }) => (trials > 0 ? count + 1 : count), 0),
    pass_rate: rateFigure(judged),
    scores: yield* scoreFigures(units),
    latency: yield* latencyFigure(units),
  };
}

/** Sums and counts of the units that have any: both lists of one length. */
interface Totals {
  readonly sums: Float64Array;
  readonly counts: Float64Array;
}

function* collect(
  units: readonly Unit[],
  read: (unit: Unit, add: (sum: number, count: number) => void) => void,
): Steps<Totals> {
  const sums = new Float64Array(units.length);
  const counts = new Float64Array(units.length);
  let length = 0;
  const add = (sum: number, count: number) => {
    if (count === 0) return;
    sums[length] = sum;
    counts[length] = count;
    length += 1;
  };
  yield* eachInSteps(units, (unit) => read(unit, add));
  return { sums: sums.subarray(0, length), counts: counts.subarray(0, length) };
}

function rateFigure({ sums, counts }: Totals): RateFigure {
  return { passed: sumOf(sums), total: sumOf(counts), rate: clusteredRate(sums, counts) };
}

function* scoreFigures(units: readonly Unit[]): Steps<ScoreFigure[]> {
  const figures: ScoreFigure[] = [];
  for (const [key, kind] of yield* scoreKinds(units)) {
    const values = new ScoreValues();
    const totals = yield* collect(units, (unit, add) => {
      const score = scoreOf(unit, key);
      if (score?.kind !== kind) return;
      add(score.sum, score.count);
      if (kind === 'value') addValues(score, values);
    });
    if (kind === 'ratio') figures.push({ key, type: 'ratio', ...rateFigure(totals) });
    else {
      const { sums, counts } = totals;
      const { scale } = values;
      const mean = clusteredMean(sums, counts, scale);
      yield;
      figures.push({
        key,
        type: 'avg',
        count: sumOf(counts),
        mean,
        ...(isUnbounded(scale) && { percentiles: values.percentiles() }),
      });
    }
  }
  return figures;
}

function* latencyFigure(units: readonly Unit[]): Steps<UnitFigures['latency']> {
  const sorted = yield* sortedLatenciesOf(units);
  return { ...latencyFigures(sorted), p5: percentile(sorted, 0.05) };
}

/** The latencies of all trials of units, ascending. */
export function* sortedLatenciesOf(units: readonly Unit[]): Steps<Float64Array> {
  const latencies: number[] = [];
  yield* eachInSteps(units, (unit) => {
    for (const latency of latenciesOf(unit)) latencies.push(latency);
  });
  const sorted = Float64Array.from(latencies).sort();
  yield;
  return sorted;
}
