/** A distribution over whole numbers: the probability of `least`, `least + 1` and so on. */
export interface CountChances {
  readonly least: number;
  readonly chances: Float64Array;
}

/**
 * The distribution of how many of `passes` passes fall on the `inOther` trials of one side when all trials of both
 * sides are dealt out anew: the hypergeometric distribution. Whole numbers, passes ≤ inBase + inOther.
 */
export function hypergeometric(passes: number, inBase: number, inOther: number): CountChances {
  const least = Math.max(0, passes - inBase);
  const most = Math.min(passes, inOther);
  const mode = Math.floor(((passes + 1) * (inOther + 1)) / (inBase + inOther + 2));
  const chances = new Float64Array(most - least + 1);
  // Relative to the most likely count, nothing overflows, and terms that underflow are negligible.
  for (let x = mode, mass = 1; x <= most; x += 1) {
    chances[x - least] = mass;
    mass *= ((passes - x) * (inOther - x)) / ((x + 1) * (inBase - passes + x + 1));
  }
  for (let x = mode, mass = 1; x > least; x -= 1) {
    mass *= (x * (inBase - passes + x)) / ((passes - x + 1) * (inOther - x + 1));
    chances[x - 1 - least] = mass;
  }
  let sum = 0;
  for (const mass of chances) sum += mass;
  return { least, chances: chances.map((mass) => mass / sum) };
}
