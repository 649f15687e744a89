import type { Bounds } from '../mean-interval.js';
import { percentile } from '../percentile.js';
import { type Random, seededRandom } from '../random.js';
import { drawCounts, mostCommonFirst } from './draw-counts.js';
import { mergeNeighbours } from './merge-neighbours.js';
import { groupSorted, type ValueGroups } from './number-lists.js';

/** How values are drawn anew for an interval. */
export interface BootstrapOptions {
  /** How often; 2,000 unless told. */
  readonly resamples?: number;
  /** Values closer than this are equal; 0 unless told. */
  readonly tolerance?: number;
}

const seed = 20251103;
const largestDrawnSingly = 5000;
const groupsWhenMany = 256;

/**
 * 95 % percentile bootstrap interval of the mean: as many values as there are, drawn with replacement, and the
 * 2.5 % and 97.5 % quantiles of their mean (Efron and Tibshirani 1993, chapter 13). `null` bounds below two
 * values. Seeded: the same for the same values in whatever order, and mirrored for the negated values. More than
 * 5,000 values of more than 256 kinds are first merged, neighbours into their mean, into 256 groups: the largest
 * and smallest stay as they are, and the mean is the same.
 */
export function bootstrapMean(
  values: Float64Array,
  { resamples = 2000, tolerance = 0 }: BootstrapOptions = {},
): Bounds {
  if (values.length < 2) return { low: null, high: null };
  const sorted = values.slice().sort();
  const side = sideOf(sorted);
  if (side < 0) negate(sorted);
  const { low, high } = resampledBounds(sorted, resamples, tolerance);
  // As likely to be drawn either way round, so the bounds must not depend on which way it was.
  if (side === 0) return { low: (low - high) / 2, high: (high - low) / 2 };
  return side < 0 ? { low: 0 - high, high: 0 - low } : { low, high };
}

/** The sign of what first tells ascending values from their mirror image; 0 when nothing does. */
function sideOf(sorted: Float64Array): number {
  for (let i = 0, j = sorted.length - 1; i <= j; i += 1, j -= 1) {
    const lean = (sorted[i] ?? 0) + (sorted[j] ?? 0);
    if (lean !== 0) return lean;
  }
  return 0;
}

function negate(sorted: Float64Array): void {
  for (let i = 0; i < sorted.length; i += 1) sorted[i] = -(sorted[i] ?? 0);
  sorted.reverse();
}

function resampledBounds(sorted: Float64Array, resamples: number, tolerance: number) {
  const random = seededRandom(seed);
  const groups = groupSorted(sorted, tolerance);
  const isMany = groups.values.length > groupsWhenMany && sorted.length > largestDrawnSingly;
  const drawn = isMany ? mergeNeighbours(groups, groupsWhenMany) : groups;
  const drawMean = drawn.values.length * 8 < sorted.length ? byGroup(drawn) : oneByOne(sorted);
  const means = new Float64Array(resamples);
  for (let i = 0; i < resamples; i += 1) means[i] = drawMean(random);
  means.sort();
  return { low: percentile(means, 0.025) ?? 0, high: percentile(means, 0.975) ?? 0 };
}

function oneByOne(values: Float64Array): (random: Random) => number {
  const { length } = values;
  return (random) => {
    let sum = 0;
    for (let i = 0; i < length; i += 1) sum += values[Math.floor(random() * length)] ?? 0;
    return sum / length;
  };
}

/** Drawing how many come from each group is the same as drawing one by one, and does not grow with their number. */
function byGroup(groups: ValueGroups): (random: Random) => number {
  const { values, counts } = mostCommonFirst(groups);
  const drawn = new Float64Array(counts.length);
  const total = counts.reduce((sum, count) => sum + count, 0);
  return (random) => {
    drawCounts(random, counts, drawn);
    let sum = 0;
    for (let i = 0; i < drawn.length; i += 1) sum += (drawn[i] ?? 0) * (values[i] ?? 0);
    return sum / total;
  };
}
