import { drawBinomial } from '../binomial-sampler.js';
import type { Random } from '../random.js';
import type { ValueGroups } from './number-lists.js';

/**
 * Draws as many as there are in all groups together, with replacement, and counts them by group into `drawn`. One
 * binomial number per group, given what the groups before it took, is the same distribution as drawing one by one.
 */
export function drawCounts(random: Random, counts: Float64Array, drawn: Float64Array): void {
  let weight = 0;
  for (const count of counts) weight += count;
  let left = weight;
  for (let group = 0; group < counts.length; group += 1) {
    const count = counts[group] ?? 0;
    const taken = drawBinomial(random, left, count / weight);
    drawn[group] = taken;
    left -= taken;
    weight -= count;
  }
}

/** The same groups, large ones first: what is left for the rare ones is small and quick to draw. */
export function mostCommonFirst({ values, counts }: ValueGroups): ValueGroups {
  const order = Array.from(counts.keys()).sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0));
  return {
    values: Float64Array.from(order, (at) => values[at] ?? 0),
    counts: Float64Array.from(order, (at) => counts[at] ?? 0),
  };
}
