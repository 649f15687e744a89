/** One-sided level of a family of tests: half of the 5 % at which a two-sided p-value is beyond chance. */
export const familyLevel = 0.025;

/** Attainable p-values are sums of probabilities, which rounding can move. */
const rounding = 1 + 2 ** -40;

/**
 * For how many tests to correct (Tarone 1990, "A Modified Bonferroni Method for Discrete Data", Biometrics 46,
 * 515–522): the smallest K for which at most K tests could have a one-sided p-value of at most 0.025 / K.
 * `attainable` is the smallest one-sided p-value of each test, whatever the outcome; it may depend on nothing else
 * than the margins of its data. 1 without tests.
 */
export function testsAmong(attainable: readonly number[]): number {
  const sorted = [...attainable].sort((a, b) => a - b);
  let among = 1;
  // While more than `among` tests could reach the level, the test at that position could.
  while (canBeFound(sorted[among] ?? 1, among)) among += 1;
  return among;
}

/** True if a test with this smallest one-sided p-value could be beyond chance among so many tests. */
export function canBeFound(attainable: number, among: number): boolean {
  return attainable <= (familyLevel / among) * rounding;
}
