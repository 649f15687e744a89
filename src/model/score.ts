/** One grade of a result. At least one of `passed` and `value` is there. */
export interface Score {
  /** What was graded: 1 to 200 characters. */
  readonly key: string;
  readonly passed?: boolean;
  /** A finite number. */
  readonly value?: number;
  readonly notes?: string;
  /** `human` when the score was set or changed by a person. */
  readonly source?: 'human';
}

/** The part of a score that summaries need. */
export type ScoreFacts = Pick<Score, 'key' | 'passed' | 'value' | 'source'>;

/** Summary of one score key over results: a share of passes, or a mean of values. */
export type ScoreChip =
  | {
      readonly key: string;
      readonly type: 'ratio';
      readonly passed: number;
      readonly total: number;
    }
  | { readonly key: string; readonly type: 'avg'; readonly avg: number; readonly count: number };

/** Longest allowed score key, in characters. */
export const maxScoreKeyLength = 200;

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
