import { isNumber, isObject } from '../../model/json.js';
import { isDeclaredScale, maxScoreKeyLength, type Score } from '../../model/scores/score.js';

/** True for a valid list of scores in a file. */
export function isScores(value: unknown): value is readonly Score[] {
  return Array.isArray(value) && value.every((item) => scoreProblem(item) === undefined);
}

/** The reason why a value is not a valid score; `undefined` if it is valid. */
export function scoreProblem(value: unknown): string | undefined {
  if (!isObject(value)) return 'is not an object';
  const { key, passed, value: number, threshold, better, scale } = value;
  const { notes, location, source, inexact } = value;
  if (typeof key !== 'string' || key === '') return 'has no key';
  if (key.length > maxScoreKeyLength && [...key].length > maxScoreKeyLength) {
    return `has a key of more than ${maxScoreKeyLength} characters`;
  }
  if (passed === undefined && number === undefined) return 'has neither passed nor value';
  if (passed !== undefined && typeof passed !== 'boolean') return 'has a passed that is no boolean';
  if (number !== undefined && !isNumber(number)) return 'has a value that is no finite number';
  if (threshold !== undefined && !isNumber(threshold)) {
    return 'has a threshold that is no finite number';
  }
  if (better !== undefined && better !== 'lower') return 'has a better that is not lower';
  if (scale !== undefined && !isDeclaredScale(scale)) return 'has a scale that is no two numbers';
  if (notes !== undefined && typeof notes !== 'string') return 'has notes that are no text';
  if (location !== undefined && typeof location !== 'string')
    return 'has a location that is no text';
  if (source !== undefined && source !== 'human') return 'has an unknown source';
  if (inexact !== undefined && inexact !== true) return 'has an inexact that is not true';
  return undefined;
}

/** The known fields of a score in a fixed order, so that equal scores have equal JSON. */
export function tidyScore(score: Score): Score {
  return {
    key: score.key,
    ...(score.passed === undefined ? {} : { passed: score.passed }),
    ...(score.value === undefined ? {} : { value: score.value }),
    ...(score.threshold === undefined ? {} : { threshold: score.threshold }),
    ...(score.better === undefined ? {} : { better: score.better }),
    ...(score.scale === undefined ? {} : { scale: score.scale }),
    ...(score.notes === undefined ? {} : { notes: score.notes }),
    ...(score.location === undefined ? {} : { location: score.location }),
    ...(score.source === undefined ? {} : { source: score.source }),
    ...(score.inexact === undefined ? {} : { inexact: score.inexact }),
  };
}

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
