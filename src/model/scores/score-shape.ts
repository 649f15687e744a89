import { isNumber } from '../json.js';
import {
  both,
  type Fitting,
  faultOf,
  isFlag,
  isText,
  isTrue,
  listOf,
  named,
  object,
  oneOf,
  only,
  optional,
  type Shape,
  type ShapeFault,
} from '../shapes.js';
import { isDeclaredScale, isScoreKey, maxScoreKeyLength } from './score-limits.js';

export const scoreFields = {
  /** The key of the score: 1 to 200 characters. */
  key: named(`a text of 1 to ${maxScoreKeyLength} characters`, isScoreKey),
  passed: optional(isFlag),
  /** A finite number. */
  value: optional(isNumber),
  /** The threshold by which `value` was judged; absent without one. */
  threshold: optional(isNumber),
  /** Present if lower values are better. */
  better: optional(oneOf('lower')),
  /** The scale of `value`, if its rule has one. */
  scale: optional(named('two numbers, the smaller one first', isDeclaredScale)),
  notes: optional(isText),
  /** `file:line:column` of the assertion that failed, the file as in ids; absent for other scores. */
  location: optional(isText),
  /** The version of its judge: of the text of its rubric, and its options; absent for other scores. */
  rubric_version: optional(isText),
  /** `human` when the score was set or changed by a person. */
  source: optional(oneOf('human')),
  /** Present if the grader saw the stored JSON of an output that is not stored as the target returned it. */
  inexact: optional(isTrue),
};
export const hasScoreFields = object(scoreFields);

type Graded = Fitting<typeof hasScoreFields>;

/** True for a valid score in a file. */
export const isScore: Shape<Graded> = both(
  hasScoreFields,
  named('a score with passed or value', (value: unknown): value is Graded => {
    const { passed, value: number } = value as Graded;
    return passed !== undefined || number !== undefined;
  }),
);
export const isScores = listOf(isScore);

/** True for the scores of a result: each has another key. */
export const isGrading: Shape<readonly Graded[]> = Object.assign(
  (value: unknown): value is readonly Graded[] => isScores(value) && twinIn(value) < 0,
  {
    fault(value: unknown, at: string): ShapeFault {
      if (!isScores(value)) return faultOf(value, isScores, at);
      const twin = twinIn(value);
      return {
        at: `${at}/${twin}`,
        problem: `has the key of another score, "${value[twin]?.key}"`,
      };
    },
  },
);

/** The position of a score that has the key of one before it; -1 for none. */
function twinIn(scores: readonly Graded[]): number {
  if (scores.length < 2) return -1;
  const keys = new Set<string>();
  return scores.findIndex(({ key }) => keys.size === keys.add(key).size);
}

/** The known fields of a score in a fixed order, so that equal scores have equal JSON. */
export function tidyScore(score: Graded): Graded {
  return only(scoreFields, score);
}
