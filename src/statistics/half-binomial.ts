import type { Tails } from './tails.js';

/**
 * The probabilities that at most k, and at least k, of n fair coins show heads: the exact binomial test, which for
 * single trials is McNemar's exact test with k of n discordant pairs (McNemar 1947, Psychometrika 12, 153–157;
 * Fagerland, Lydersen and Laake 2013, BMC Medical Research Methodology 13:91). 0 ≤ k ≤ n, whole numbers.
 */
export function fairCoinTails(n: number, k: number): Tails {
  return { lower: atMost(n, k), higher: atMost(n, n - k), attainable: 2 ** -n };
}

/** The probability that at most k of n fair coins show heads. */
function atMost(n: number, k: number): number {
  if (k < 0) return 0;
  if (2 * k >= n) return 1 - atMost(n, n - k - 1);
  // Relative to the most likely count, nothing overflows, and terms that underflow are negligible.
  let mass = 1;
  let total = 0;
  let tail = 0;
  for (let i = Math.floor(n / 2); i >= 0; i -= 1) {
    // Every count except the middle one of an even n has a mirror image.
    total += 2 * i === n ? mass : 2 * mass;
    if (i <= k) tail += mass;
    mass *= i / (n - i + 1);
  }
  return tail / total;
}
