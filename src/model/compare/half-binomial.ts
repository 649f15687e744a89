/**
 * The probability that of n fair coins at most k or at least n − k show heads, at most 1: the two-sided exact
 * binomial test, which for single trials is McNemar's exact test with k the smaller number of discordant pairs
 * (McNemar 1947, Psychometrika 12, 153–157; Fagerland, Lydersen and Laake 2013, BMC Medical Research Methodology
 * 13:91). 0 ≤ k ≤ n, whole numbers.
 */
export function fairCoinPValue(n: number, k: number): number {
  const fewer = Math.min(k, n - k);
  if (2 * fewer >= n - 1) return 1;
  // Relative to the most likely count nothing overflows, and what underflows does not count.
  let mass = 1;
  let total = 0;
  let tail = 0;
  for (let i = Math.floor(n / 2); i >= 0; i -= 1) {
    // All counts but the middle one of an even n have a twin on the other side.
    total += 2 * i === n ? mass : 2 * mass;
    if (i <= fewer) tail += 2 * mass;
    mass *= i / (n - i + 1);
  }
  return tail / total;
}
