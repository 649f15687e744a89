import type { Bounds } from '../../statistics/bounds.js';
import type { Percentiles } from '../../statistics/percentile.js';
import type { Fitting } from '../shapes.js';
import type { DeclaredScale } from './score-limits.js';
import type { hasScoreFields } from './score-shape.js';

/** The place of a value on its scale, from 0 (least) to 1; on the scale 0 to 1 if none is declared, and `undefined` beyond it. */
export function placeOn(
  value: number,
  [least, greatest]: DeclaredScale = [0, 1],
): number | undefined {
  const place = (value - least) / (greatest - least);
  return place >= 0 && place <= 1 ? place : undefined;
}

/** One grade of a result. Has `passed`, `value` or both. */
export interface Score extends Fitting<typeof hasScoreFields> {}

/** True when two lists have the same scores in the same order. */
export function sameScores(a: readonly Score[], b: readonly Score[]): boolean {
  return (
    a.length === b.length &&
    a.every((score, position) => {
      const other = b[position];
      return (
        other !== undefined &&
        sameGrade(score, other) &&
        score.source === other.source &&
        score.threshold === other.threshold &&
        score.better === other.better &&
        score.scale?.join() === other.scale?.join()
      );
    })
  );
}

/** True when two scores are equal, regardless of source, rule and location. */
export function sameGrade(a: Score, b: Score): boolean {
  return a.key === b.key && a.passed === b.passed && a.value === b.value && a.notes === b.notes;
}

/** The part of a score that summaries need. */
export interface ScoreFacts extends Omit<Score, 'notes' | 'location' | 'inexact'> {
  /** True for an assertion of the body that failed: it has a location. */
  readonly asserted?: true;
}

/** Summary of one score key over results: a share of passes, or a mean of values. */
export type ScoreChip =
  | {
      readonly key: string;
      readonly type: 'ratio';
      readonly passed: number;
      readonly total: number;
      /** The verdicts in `total` that a threshold derived from values; absent for none. */
      readonly derived?: number;
      /** The values beside the verdicts that an evaluator gave; absent without values. */
      readonly values?: ValueFigures;
    }
  | ({ readonly key: string; readonly type: 'avg' } & ValueFigures & Partial<ThresholdCounts>);

/** The values of a score key. */
interface ValueFigures {
  readonly avg: number;
  readonly count: number;
  /** For unbounded values; shown instead of the mean. */
  readonly percentiles?: Percentiles;
  /** Absent if none was declared. */
  readonly scale?: DeclaredScale;
  readonly better?: 'lower';
}

/** The verdicts that thresholds give to the scores of a key. */
interface ThresholdCounts {
  /** The number of scores that passed. */
  readonly passed: number;
  /** The number of scores that passed or failed; absent if it equals the number of values. */
  readonly judged: number;
  /** Absent if the scores have different thresholds. */
  readonly threshold: number;
}

/** The passed scores of a key among those that passed or failed; `undefined` if there are none. */
export function passedShare(
  chip: ScoreChip,
): { readonly passed: number; readonly total: number } | undefined {
  const { passed } = chip;
  if (passed === undefined) return undefined;
  return { passed, total: chip.type === 'ratio' ? chip.total : (chip.judged ?? chip.count) };
}

/**
 * Merges human scores into machine scores after grading. On the same key, the human score replaces the machine's,
 * in its position; other human scores follow.
 */
export function mergeHumanScores<T extends ScoreFacts>(
  machine: readonly T[],
  current: readonly T[],
): T[] {
  const human = new Map(current.filter((s) => s.source === 'human').map((s) => [s.key, s]));
  const merged = machine.map((score) => {
    const kept = human.get(score.key);
    human.delete(score.key);
    return kept ?? score;
  });
  return [...merged, ...human.values()];
}

/**
 * A chip with the 95 % interval of its share or mean, and of the share that passed or the mean if it shows both. The
 * mean of unbounded values has no interval.
 */
export type IntervalChip = ScoreChip & {
  readonly interval: Bounds;
  readonly passed_interval?: Bounds;
  readonly values_interval?: Bounds;
};

export function withoutIntervals(chip: IntervalChip): ScoreChip {
  const { interval: _, passed_interval: __, values_interval: ___, ...figures } = chip;
  return figures;
}
