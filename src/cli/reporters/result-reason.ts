import { cutText } from '../../model/preview.js';
import type { Json, ResultEntry } from '../../model/result.js';
import { errorHeading } from '../run-report-error.js';

const longestReason = 500;

/** Why a result is no pass, in a line or two: its error, or its failed scores with their notes. */
export function reasonOf({ result }: ResultEntry): string {
  if (result.status === 'error') return cutText(errorHeading(result.error ?? ''), longestReason);
  const failed = result.scores.filter((score) => score.passed === false);
  const texts = failed.map(({ key, notes }) => (notes === undefined ? key : `${key}: ${notes}`));
  return cutText(texts.join('; '), longestReason);
}

/** A value as text of at most so many characters: a string as it is, anything else as JSON. */
export function valueText(value: Json, length: number): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= length ? text : `${cutText(text, length)}…`;
}
