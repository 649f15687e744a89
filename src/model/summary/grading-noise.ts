import type { RowFacts } from '../result.js';
import type { GradingNoise } from '../run.js';
import type { ScoreFacts } from '../scores/score.js';

/** Counts verdicts that another grading by the same graders has changed. */
export class GradingNoiseCounter {
  readonly #keys = new Map<string, { differ: number; of: number }>();

  add({ scores, scoresBefore }: Pick<RowFacts, 'scores' | 'scoresBefore'>): void {
    for (const score of scores) {
      const before = scoresBefore?.find(({ key }) => key === score.key);
      if (before === undefined || !isSameGrader(score, before)) continue;
      const counts = this.#keys.get(score.key) ?? { differ: 0, of: 0 };
      counts.of += 1;
      if (score.passed !== before.passed) counts.differ += 1;
      this.#keys.set(score.key, counts);
    }
  }

  /** The keys of which some verdicts differ; `undefined` for none. */
  get noise(): GradingNoise[] | undefined {
    const found = [...this.#keys].flatMap(([key, counts]) =>
      counts.differ > 0 ? [{ key, ...counts }] : [],
    );
    return found.length === 0 ? undefined : found;
  }
}

/** Two machine verdicts by the same threshold, if there is one. */
function isSameGrader(one: ScoreFacts, other: ScoreFacts): boolean {
  const isVerdict = ({ passed, source }: ScoreFacts) => passed !== undefined && source !== 'human';
  return isVerdict(one) && isVerdict(other) && one.threshold === other.threshold;
}
