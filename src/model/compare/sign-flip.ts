import { seededRandom } from '../random.js';
import { flippedSums } from './flipped-sums.js';
import { fairCoinPValue } from './half-binomial.js';
import { groupSorted, sumOf, type ValueGroups } from './number-lists.js';

/** How signs are flipped. */
export interface SignFlipOptions {
  /** How often signs are drawn where there are too many to try all; 20,000 unless told. */
  readonly draws?: number;
  /** Differences up to this are none, and sizes closer than this are equal; 0 unless told. */
  readonly tolerance?: number;
}

const seed = 20251104;
const mostTriedInFull = 14;

/**
 * Two-sided paired sign-flip permutation test: if nothing but chance sets two sides apart, every difference could
 * as well have the other sign. The p-value is the share of all assignments of signs whose sum is at least as far
 * from 0 as the observed one (Fisher 1935, The Design of Experiments, section 21; Pitman 1937). Differences
 * of 0 change nothing; 1 when there are no others.
 *
 * Exact for up to 14 differences, and for any number of one size (for single trials: McNemar's exact test). Else
 * signs are drawn, seeded: (hits + 1) / (draws + 1), so never 0 (Phipson and Smyth 2010, "Permutation P-values Should
 * Never Be Zero", Statistical Applications in Genetics and Molecular Biology 9:39). The order does not matter,
 * nor which side is subtracted from which.
 */
export function signFlipPValue(
  differences: Float64Array,
  { draws = 20_000, tolerance = 0 }: SignFlipOptions = {},
): number {
  const sorted = differences.filter((one) => Math.abs(one) > tolerance).sort();
  if (sorted.length === 0) return 1;
  const sizes = sorted.map(Math.abs).sort();
  const groups = groupSorted(sizes, tolerance);
  if (groups.values.length === 1) {
    return fairCoinPValue(sorted.length, sorted.filter((one) => one > 0).length);
  }
  // Sums that are equal on paper may differ by rounding.
  const slack = sorted.length * Math.max(tolerance, (sizes.at(-1) ?? 0) * 2 ** -48);
  const observed = Math.abs(sumOf(sorted)) - slack;
  return sorted.length <= mostTriedInFull
    ? shareOfAll(sizes, observed)
    : shareOfDrawn(groups, observed, draws);
}

/** Tries all signs. The first stays as it is: with it flipped, all sums come again with the other sign. */
export function shareOfAll(sizes: Float64Array, atLeast: number): number {
  const sums = new Float64Array(2 ** (sizes.length - 1));
  sums[0] = sizes[0] ?? 0;
  let known = 1;
  for (const size of sizes.subarray(1)) {
    for (let i = 0; i < known; i += 1) {
      const sum = sums[i] ?? 0;
      sums[i] = sum + size;
      sums[known + i] = sum - size;
    }
    known *= 2;
  }
  let hits = 0;
  for (const sum of sums) if (Math.abs(sum) >= atLeast) hits += 1;
  return hits / sums.length;
}

function shareOfDrawn(groups: ValueGroups, atLeast: number, draws: number): number {
  const drawSum = flippedSums(groups, seededRandom(seed));
  let hits = 0;
  for (let draw = 0; draw < draws; draw += 1) if (Math.abs(drawSum()) >= atLeast) hits += 1;
  return (hits + 1) / (draws + 1);
}
