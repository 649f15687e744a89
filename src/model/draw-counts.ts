import { drawBinomial } from './binomial-sampler.js';
import type { Random } from './random.js';

/**
 * Draws as many as there are in all groups together, with replacement, and counts them by group into `drawn`. One
 * binomial number per group, given what the groups before it took, is the same distribution as drawing one by one. It is
 * quickest when large groups come first: what is left for the rare ones is small.
 */
export function drawCounts(random: Random, counts: ArrayLike<number>, drawn: Float64Array): void {
  let weight = 0;
  for (let group = 0; group < counts.length; group += 1) weight += counts[group] ?? 0;
  let left = weight;
  for (let group = 0; group < counts.length; group += 1) {
    const count = counts[group] ?? 0;
    const taken = drawBinomial(random, left, count / weight);
    drawn[group] = taken;
    left -= taken;
    weight -= count;
  }
}
