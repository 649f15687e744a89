import { cutText } from '../../model/preview.js';
import type { Json, ResultEntry } from '../../model/result.js';
import type { Score } from '../../model/scores/score.js';
import { missText } from '../../model/scores/score-rule.js';
import { renderNumber } from '../../text/number-text.js';
import { errorHeading } from '../report/evaluation-error.js';

const longestReason = 500;

/** The reason why a result did not pass, in a line or two: its error, or its failed scores with their notes. */
export function reasonOf({ result }: ResultEntry): string {
  if (result.status === 'error') return cutText(errorHeading(result.error ?? ''), longestReason);
  const failed = result.scores.filter((score) => score.passed === false);
  const texts = failed.map((score) => failureText(score, score.key));
  return cutText(texts.join('; '), longestReason);
}

/** A failed score: `failed`, or how its value misses its threshold, and its notes. */
export function failureText(score: Score, failed: string): string {
  const missed = missText(score, renderNumber);
  const text = missed === undefined ? failed : `${score.key} ${missed}`;
  return score.notes === undefined ? text : `${text}: ${score.notes}`;
}

/** A value as text of at most `length` characters: a string unchanged, anything else as JSON. */
export function valueText(value: Json, length: number): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= length ? text : `${cutText(text, length)}…`;
}
