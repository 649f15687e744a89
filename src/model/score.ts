import type { Percentiles } from '../statistics/percentile.js';

/** One grade of a result. At least one of `passed` and `value` is there. */
export interface Score {
  /** What was graded: 1 to 200 characters. */
  readonly key: string;
  readonly passed?: boolean;
  /** A finite number. */
  readonly value?: number;
  /** The limit that `value` was held against; absent when there was none. */
  readonly threshold?: number;
  /** There when smaller values are better. */
  readonly better?: 'lower';
  readonly notes?: string;
  /** `file:line:column` of the assertion that failed, the file as in ids; absent for other scores. */
  readonly location?: string;
  /** `human` when the score was set or changed by a person. */
  readonly source?: 'human';
}

/** The part of a score that summaries need. */
export type ScoreFacts = Omit<Score, 'notes' | 'location'>;

/** Summary of one score key over results: a share of passes, or a mean of values. */
export type ScoreChip =
  | {
      readonly key: string;
      readonly type: 'ratio';
      readonly passed: number;
      readonly total: number;
    }
  | ({
      readonly key: string;
      readonly type: 'avg';
      readonly avg: number;
      readonly count: number;
      /** Of unbounded values: these are shown in place of the mean. */
      readonly percentiles?: Percentiles;
      readonly better?: 'lower';
    } & Partial<ThresholdCounts>);

/** What thresholds say of the scores of a key. */
interface ThresholdCounts {
  /** How many passed. */
  readonly passed: number;
  /** How many passed or failed; absent when that is as many as have a value. */
  readonly judged: number;
  /** Absent when the scores have different ones. */
  readonly threshold: number;
}

/** How many scores of a key passed, of those that passed or failed; `undefined` when none did either. */
export function passedShare(
  chip: ScoreChip,
): { readonly passed: number; readonly total: number } | undefined {
  const { passed } = chip;
  if (passed === undefined) return undefined;
  return { passed, total: chip.type === 'ratio' ? chip.total : (chip.judged ?? chip.count) };
}

/** Longest allowed score key, in characters. */
export const maxScoreKeyLength = 200;

/** True for a score key: text of 1 to 200 characters. */
export function isScoreKey(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxScoreKeyLength;
}

/**
 * Scores after machine grading: the machine's, with human scores kept; on one key the human's wins and
 * takes the machine's place, other human scores follow.
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
