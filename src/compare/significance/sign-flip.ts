import { fairCoinTails } from '../../statistics/half-binomial.js';
import { seededRandom } from '../../statistics/random.js';
import { sumOf } from '../../statistics/sums.js';
import { DrawnTails, noDifference, type TailOptions, type Tails } from '../../statistics/tails.js';
import { flippedSums } from './flipped-sums.js';
import { groupSorted, type ValueGroups } from './value-groups.js';

const seed = 20251104;
const mostTriedInFull = 14;

/**
 * Paired sign-flip permutation test of ascending differences: if only chance sets two sides apart, every difference
 * could as well have the other sign. A tail is the share of all sign assignments whose sum is at most, or at least,
 * the observed one (Fisher 1935, The Design of Experiments, section 21; Pitman 1937). Differences of 0 change
 * nothing.
 *
 *
 * Exact for up to 14 differences, and for any number of one size (for single trials: McNemar's exact test).
 * Otherwise signs are drawn, seeded; each draw also counts with all signs flipped, so swapping the sides mirrors
 * the result.
 */
export function signFlipTails(
  sorted: Float64Array,
  { draws = 20_000, tolerance = 0 }: TailOptions = {},
): Tails {
  const { sizes, positive, total } = sizesOf(sorted, tolerance);
  if (sizes.length === 0) return noDifference;
  const groups = groupSorted(sizes, tolerance);
  if (groups.values.length === 1) return fairCoinTails(sizes.length, positive);
  // Rounding can separate sums that are equal on paper.
  const slack = sizes.length * Math.max(tolerance, (sizes.at(-1) ?? 0) * 2 ** -48);
  return sizes.length <= mostTriedInFull
    ? triedTails(sizes, total, slack)
    : drawnTails(groups, new DrawnTails(total, 2 ** -sizes.length, slack), draws);
}

/**
 * The sizes of ascending differences, ascending, the number of positive ones, and the total; without differences of
 * 0.
 */
function sizesOf(sorted: Float64Array, tolerance: number) {
  let below = 0;
  while (below < sorted.length && (sorted[below] ?? 0) < -tolerance) below += 1;
  let above = below;
  while (above < sorted.length && (sorted[above] ?? 0) <= tolerance) above += 1;
  const positive = sorted.length - above;
  const total = sumOf(sorted.subarray(0, below)) + sumOf(sorted.subarray(above));
  const sizes = new Float64Array(below + positive);
  // From the middle to both ends, the smaller one first.
  for (let at = 0; at < sizes.length; at += 1) {
    const down = below > 0 ? -(sorted[below - 1] ?? 0) : Number.POSITIVE_INFINITY;
    const up = sorted[above] ?? Number.POSITIVE_INFINITY;
    sizes[at] = Math.min(down, up);
    if (up <= down) above += 1;
    else below -= 1;
  }
  return { sizes, positive, total };
}

/** Enumerates all signs. The first sign is fixed: flipping it repeats all sums with the other sign. */
function triedTails(sizes: Float64Array, observed: number, slack: number): Tails {
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
  let lower = 0;
  let higher = 0;
  for (const sum of sums) {
    if (sum <= observed + slack) lower += 1;
    if (-sum <= observed + slack) lower += 1;
    if (sum >= observed - slack) higher += 1;
    if (-sum >= observed - slack) higher += 1;
  }
  const outcomes = 2 * sums.length;
  return { lower: lower / outcomes, higher: higher / outcomes, attainable: 1 / outcomes };
}

function drawnTails(groups: ValueGroups, tails: DrawnTails, draws: number): Tails {
  const drawSum = flippedSums(groups, seededRandom(seed));
  for (let draw = 0; draw < draws; draw += 1) {
    const sum = drawSum();
    tails.add(sum);
    tails.add(-sum);
  }
  return tails.tails();
}
