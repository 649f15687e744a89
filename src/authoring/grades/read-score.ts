import type { Score } from '../../model/scores/score.js';
import { isScoreKey, maxScoreKeyLength } from '../../model/scores/score-limits.js';
import { isOnScale, ruleOf, type ScoreRules, scaleText } from '../../model/scores/score-rule.js';
import { describeValue } from '../describe-value.js';
import { isRecord } from '../is-record.js';

/** A valid score, or the problem with it. */
export type ScoreReading =
  | { readonly score: Score; readonly problem?: undefined }
  | { readonly score?: undefined; readonly problem: string };

/** Validates `{ key, passed, value, better, notes }`; `defaultKey`: for scores without a key; `rules`: the scales of values. */
export function readScore(
  given: unknown,
  defaultKey: string,
  rules?: ScoreRules | undefined,
): ScoreReading {
  if (!isRecord(given))
    return { problem: `a score must be an object, not ${describeValue(given)}` };
  const { key = defaultKey, passed, value, better, notes } = given;
  const problem = findProblem({ key, passed, value, better, notes }, given, rules);
  if (problem !== undefined) return { problem };
  const score = {
    key,
    ...(passed !== undefined && { passed }),
    ...(value !== undefined && { value }),
    ...(better !== undefined && { better }),
    ...(notes !== undefined && notes !== '' && { notes }),
  };
  return { score: score as Score }; // findProblem has looked at every field
}

/** A boolean as `passed`, any other as `value`, for {@link readScore} to check. */
export function scoreFields(grade: unknown): { passed: unknown } | { value: unknown } {
  return typeof grade === 'boolean' ? { passed: grade } : { value: grade };
}

function findProblem(
  {
    key,
    passed,
    value,
    better,
    notes,
  }: Readonly<Record<'key' | 'passed' | 'value' | 'better' | 'notes', unknown>>,
  given: object,
  rules: ScoreRules | undefined,
): string | undefined {
  if (!isScoreKey(key)) {
    return `a score's key must be 1 to ${maxScoreKeyLength} characters, not ${describeValue(key)}`;
  }
  const named = `the score ${JSON.stringify(key)}`;
  if (passed === undefined && value === undefined) {
    return `${named} needs "passed" (true or false) or "value" (a number), but is ${describeValue(given)}`;
  }
  if (passed !== undefined && typeof passed !== 'boolean') {
    return `"passed" of ${named} must be true or false, not ${describeValue(passed)}`;
  }
  const scale = ruleOf(rules, key)?.scale;
  if (value !== undefined && !isOnScale(value, scale)) {
    const wanted = scale === undefined ? 'a finite number' : scaleText(scale);
    return `"value" of ${named} must be ${wanted}, not ${describeValue(value)}`;
  }
  if (better !== undefined && better !== 'lower') {
    return `"better" of ${named} must be "lower" or absent, not ${describeValue(better)}`;
  }
  if (notes !== undefined && typeof notes !== 'string') {
    return `the notes of ${named} must be text, not ${describeValue(notes)}`;
  }
  return undefined;
}
