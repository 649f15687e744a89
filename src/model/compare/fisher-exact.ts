/** Passes out of so many trials. */
export interface Passes {
  readonly passes: number;
  readonly of: number;
}

/**
 * Fisher's exact test of whether two sides pass equally often: one-sided p-values given the total of passes, by
 * the hypergeometric distribution (Fisher 1935, "The Logic of Inductive Inference", Journal of the Royal
 * Statistical Society 98, 39–82). `fewer`: the probability that the other side passes as rarely as it did, or
 * more rarely; `more`: as often, or more often. `twoSided` is twice the smaller one, at most 1 (Agresti 2002,
 * Categorical Data Analysis, 3.5): for two sides with equally many trials that is the usual two-sided test.
 */
export function fisherExact(
  base: Passes,
  other: Passes,
): { readonly fewer: number; readonly more: number; readonly twoSided: number } {
  const passes = base.passes + other.passes;
  const all = base.of + other.of;
  const least = Math.max(0, passes - base.of);
  const most = Math.min(passes, other.of);
  const mode = Math.floor(((passes + 1) * (other.of + 1)) / (all + 2));
  let total = 0;
  let fewer = 0;
  let more = 0;
  const count = (x: number, mass: number) => {
    total += mass;
    if (x <= other.passes) fewer += mass;
    if (x >= other.passes) more += mass;
  };
  // Relative to the most likely table nothing overflows, and what underflows does not count.
  for (let x = mode, mass = 1; x <= most; x += 1) {
    count(x, mass);
    mass *= ((passes - x) * (other.of - x)) / ((x + 1) * (base.of - passes + x + 1));
  }
  for (let x = mode, mass = 1; x > least; x -= 1) {
    mass *= (x * (base.of - passes + x)) / ((passes - x + 1) * (other.of - x + 1));
    count(x - 1, mass);
  }
  fewer /= total;
  more /= total;
  return { fewer, more, twoSided: Math.min(1, 2 * Math.min(fewer, more)) };
}
