import { hypergeometric } from './hypergeometric.js';
import type { Tails } from './tails.js';

/** The number of passes among `of` trials. */
export interface Passes {
  readonly passes: number;
  readonly of: number;
}

/**
 * Fisher's exact test of whether two sides pass equally often, given the total number of passes (Fisher 1935, "The
 * Logic of Inductive Inference", Journal of the Royal Statistical Society 98, 39–82). `lower`: the probability that
 * the other side passes at most as often as it did; `higher`: at least as often.
 */
export function fisherTails(base: Passes, other: Passes): Tails {
  const { least, chances } = hypergeometric(base.passes + other.passes, base.of, other.of);
  let lower = 0;
  let higher = 0;
  chances.forEach((chance, i) => {
    if (least + i <= other.passes) lower += chance;
    if (least + i >= other.passes) higher += chance;
  });
  const attainable = Math.min(chances[0] ?? 1, chances.at(-1) ?? 1);
  return { lower: Math.min(1, lower), higher: Math.min(1, higher), attainable };
}
