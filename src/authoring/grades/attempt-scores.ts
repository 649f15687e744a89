import type { Score } from '../../model/scores/score.js';
import type { ScoreRules } from '../../model/scores/score-rule.js';
import { describeValue } from '../describe-value.js';
import type { ScoreFunction } from './grade.js';
import { readScore, type ScoreReading, scoreFields } from './read-score.js';

/** The scores of one attempt; a later score replaces an earlier one with the same key. */
export class AttemptScores {
  readonly #scores = new Map<string, Score>();
  #calls = 0;
  /** `ctx.score`; an invalid call throws a TypeError whose stack starts at the caller. */
  readonly score: ScoreFunction;

  constructor(defaultKey: string, rules?: ScoreRules | undefined) {
    const score = (...args: unknown[]): void => {
      const { score: entry, problem } = readCall(args, defaultKey, rules);
      if (problem !== undefined) {
        const error = new TypeError(`ctx.score: ${problem}`);
        Error.captureStackTrace(error, score);
        throw error;
      }
      this.#calls += 1;
      this.#scores.set(entry.key, entry);
    };
    this.score = score as ScoreFunction; // all of its call signatures are checked when called
  }

  /** The number of calls of {@link score}. */
  get calls(): number {
    return this.#calls;
  }

  /** Adds valid scores. */
  add(scores: readonly Score[]): void {
    for (const score of scores) this.#scores.set(score.key, score);
  }

  /** In order of first appearance. */
  scores(): Score[] {
    return [...this.#scores.values()];
  }
}

function readCall(
  args: readonly unknown[],
  defaultKey: string,
  rules: ScoreRules | undefined,
): ScoreReading {
  const [first, second, notes] = args;
  if (typeof first === 'string') {
    if (typeof second === 'boolean' || typeof second === 'number') {
      return readScore({ key: first, ...scoreFields(second), notes }, defaultKey, rules);
    }
    const problem = `${JSON.stringify(first)} needs true, false or a number, not ${describeValue(second)}`;
    return { problem };
  }
  if (args.length > 1) {
    return { problem: `to give notes, name the score: score(key, value, notes)` };
  }
  if (typeof first === 'boolean' || typeof first === 'number') {
    return readScore(scoreFields(first), defaultKey, rules);
  }
  return readScore(first, defaultKey, rules);
}
