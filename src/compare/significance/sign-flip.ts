import { drawBinomial } from '../../statistics/binomial-sampler.js';
import { fairCoinTails } from '../../statistics/half-binomial.js';
import { normalQuantile } from '../../statistics/normal-quantile.js';
import { type Random, seededRandom, xoshiro128 } from '../../statistics/random.js';
import { sumOf } from '../../statistics/sums.js';
import { DrawnTails, noDifference, type TailOptions, type Tails } from '../../statistics/tails.js';

const smallestLargeGroup = 256;

const mostLargeGroups = 16;

const mostSingles = 1024;

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

/**
 * Draws the sum of sizes with random signs. For a large group of one size, it draws how many are positive; for
 * other sizes, each sign. Beyond 16 large groups and 1,024 single sizes, the sum of the rest is drawn as one normal
 * number of the same variance. The largest sizes come first, so no term of the rest is larger than the 768 or more
 * drawn ones: the variance is exact, and the excess kurtosis, −2 Σs⁴ / (Σs²)², is at most 1/1,536 too large.
 */
function flippedSums({ values, counts }: ValueGroups, random: Random): () => number {
  const large: { readonly size: number; readonly count: number }[] = [];
  const singles: number[] = [];
  // In units of the largest size, whose square could overflow.
  const largest = values.at(-1) ?? 0;
  let variance = 0;
  for (let i = values.length - 1; i >= 0; i -= 1) {
    const size = values[i] ?? 0;
    const count = counts[i] ?? 0;
    if (variance > 0) variance += count * (size / largest) ** 2;
    else if (count >= smallestLargeGroup && large.length < mostLargeGroups)
      large.push({ size, count });
    else if (singles.length + count <= mostSingles)
      for (let n = 0; n < count; n += 1) singles.push(size);
    else variance = count * (size / largest) ** 2;
  }
  const drawSingles = sumOfSingles(singles, random);
  const deviation = largest * Math.sqrt(variance);
  return () => {
    let sum = drawSingles();
    for (const { size, count } of large) {
      sum += size * (2 * drawBinomial(random, count, 0.5) - count);
    }
    return deviation === 0 ? sum : sum + deviation * drawNormal(random);
  };
}

/** Eight signs at a time, with precomputed sums of all combinations of eight signs. */
function sumOfSingles(sizes: readonly number[], random: Random): () => number {
  // Four eights for each random word.
  const words = Math.ceil(sizes.length / 32);
  const table = new Float64Array(words * 1024);
  for (let eight = 0; eight < words * 4; eight += 1) {
    fillTable(
      table.subarray(eight * 256, eight * 256 + 256),
      sizes.slice(eight * 8, eight * 8 + 8),
    );
  }
  const next = xoshiro128([word(random), word(random), word(random), word(random)]);
  const at = (place: number) => table[place] as number;
  return () => {
    let sum = 0;
    for (let start = 0; start < table.length; start += 1024) {
      const bits = next();
      sum += at(start + (bits & 255));
      sum += at(start + 256 + ((bits >>> 8) & 255));
      sum += at(start + 512 + ((bits >>> 16) & 255));
      sum += at(start + 768 + (bits >>> 24));
    }
    return sum;
  };
}

/** The sums of all combinations of eight signs: bit n of the position is set if size n is positive. */
function fillTable(table: Float64Array, sizes: readonly number[]): void {
  table[0] = -sizes.reduce((sum, size) => sum + size, 0);
  for (let bit = 0, known = 1; known < 256; bit += 1, known *= 2) {
    const flipped = 2 * (sizes[bit] ?? 0);
    for (let i = 0; i < known; i += 1) table[known + i] = (table[i] ?? 0) + flipped;
  }
}

function word(random: Random): number {
  return Math.floor(random() * 2 ** 32);
}

/** By inversion; the shift keeps the probability above 0. */
function drawNormal(random: Random): number {
  return normalQuantile(random() + 2 ** -54);
}

/** Distinct values, and how often each occurs. */
interface ValueGroups {
  /** Ascending. */
  readonly values: Float64Array;
  readonly counts: Float64Array;
}

/**
 * Groups ascending values. Values within `tolerance` above the smallest of a group belong to it: they differ only
 * by rounding.
 */
export function groupSorted(sorted: Float64Array, tolerance: number): ValueGroups {
  const values = new Float64Array(sorted.length);
  const counts = new Float64Array(sorted.length);
  let groups = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const value of sorted) {
    if (groups === 0 || value > until) {
      values[groups] = value;
      groups += 1;
      until = value + tolerance;
    }
    counts[groups - 1] = (counts[groups - 1] ?? 0) + 1;
  }
  return { values: values.slice(0, groups), counts: counts.slice(0, groups) };
}
