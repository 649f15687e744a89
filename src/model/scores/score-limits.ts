/** The least and the greatest value of a score. */
export type DeclaredScale = readonly [low: number, high: number];

/** True for two finite numbers, the smaller one first. */
export function isDeclaredScale(value: unknown): value is DeclaredScale {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    value.every(Number.isFinite) &&
    value[0] < value[1] &&
    Number.isFinite(value[1] - value[0])
  );
}

/** Longest allowed score key, in characters. */
export const maxScoreKeyLength = 200;

/** True for a score key: text of 1 to 200 characters. */
export function isScoreKey(value: unknown): value is string {
  if (typeof value !== 'string' || value === '') return false;
  return value.length <= maxScoreKeyLength || [...value].length <= maxScoreKeyLength;
}
