/** Longest timeout of an attempt, in seconds: a day. */
export const maxTimeout = 86_400;

/** Most trials of an evaluation. */
export const maxTrials = 1000;

/** Most evaluations in flight. */
export const maxConcurrency = 1000;

/** True for a number of seconds that is a valid timeout. */
export function isTimeout(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= maxTimeout;
}

/** True for a whole number from 1 to `most`. */
export function isWholeUpTo(most: number, value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most;
}
