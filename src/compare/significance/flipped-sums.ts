import { drawBinomial } from '../../statistics/binomial-sampler.js';
import { normalQuantile } from '../../statistics/normal-quantile.js';
import { type Random, xoshiro128 } from '../../statistics/random.js';
import type { ValueGroups } from './value-groups.js';

const smallestLargeGroup = 256;
const mostLargeGroups = 16;
const mostSingles = 1024;

/**
 * Draws the sum of sizes with random signs. For a large group of one size, it draws how many are positive; for
 * other sizes, each sign. Beyond 16 large groups and 1,024 single sizes, the sum of the rest is drawn as one normal
 * number of the same variance. The largest sizes come first, so no term of the rest is larger than the 768 or more
 * drawn ones: the variance is exact, and the excess kurtosis, −2 Σs⁴ / (Σs²)², is at most 1/1,536 too large.
 */
export function flippedSums({ values, counts }: ValueGroups, random: Random): () => number {
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
  const eights = Math.ceil(sizes.length / 8);
  const table = new Float64Array(eights * 256);
  for (let eight = 0; eight < eights; eight += 1) {
    fillTable(
      table.subarray(eight * 256, eight * 256 + 256),
      sizes.slice(eight * 8, eight * 8 + 8),
    );
  }
  const next = xoshiro128([word(random), word(random), word(random), word(random)]);
  return () => {
    let sum = 0;
    let bits = 0;
    for (let eight = 0; eight < eights; eight += 1) {
      bits = eight % 4 === 0 ? next() : bits >>> 8;
      sum += table[eight * 256 + (bits & 255)] ?? 0;
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
