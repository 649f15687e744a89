import { normalQuantile } from '../../statistics/normal-quantile.js';
import { type Random, seededRandom } from '../../statistics/random.js';
import { meanOf, sumOf } from '../../statistics/sums.js';
import {
  DrawnTails,
  mirroredTails,
  noDifference,
  type TailOptions,
  type Tails,
} from '../../statistics/tails.js';
import type { TrialPair } from '../cases/pair-cases.js';
import { latticeTails } from './lattice-tails.js';

const seed = 20251105;
const mostDealtTrials = 2000;

/**
 * Permutation test of the sum of differences of means, other − base, for pairs with unequal numbers of trials: if
 * only chance sets two runs apart, each trial of a case could as well have been in the other run. A pair with
 * equally many trials on both sides flips the sign of its difference or not; any other pair deals out all its
 * trials anew (Good 2005, Permutation, Parametric and Bootstrap Tests of Hypotheses, chapter 3; for passes that is
 * the hypergeometric distribution). Trials never leave their case.
 *
 *
 * For passes see `latticeTails`. Other values are drawn, seeded: the pairs that vary most are dealt out, up to
 * 2,000 trials; the sum of all others is drawn as one normal number, corrected for its skewness (Cornish and Fisher
 * 1938). The order of pairs and of trials does not matter; exchanging the runs mirrors the tails.
 */
export function permutedTails(
  pairs: readonly TrialPair[],
  { draws = 20_000, tolerance = 0 }: TailOptions = {},
): Tails {
  const differences = pairs.map(({ base, other }) => meanOf(other) - meanOf(base));
  const observed = sumOf(differences);
  const options = { draws, tolerance };
  const direction = directionOf(pairs, observed);
  if (direction > 0) return tailsOf(pairs, observed, options);
  const turned = pairs.map(({ base, other }) => ({ base: other, other: base }));
  const mirrored = mirroredTails(tailsOf(turned, -observed, options));
  if (direction < 0) return mirrored;
  const { lower, higher, attainable } = tailsOf(pairs, observed, options);
  return {
    lower: (lower + mirrored.lower) / 2,
    higher: (higher + mirrored.higher) / 2,
    attainable,
  };
}

/**
 * Which direction to compute, so that a comparison and its mirror image use the same random numbers: above 0 this
 * one, below 0 the mirrored one. At 0 the two cannot be distinguished, and both are computed.
 */
function directionOf(pairs: readonly TrialPair[], observed: number): number {
  let more = 0;
  for (const { base, other } of pairs) more += other.length - base.length;
  return more === 0 ? -observed : more;
}

function tailsOf(
  pairs: readonly TrialPair[],
  observed: number,
  { draws, tolerance }: { readonly draws: number; readonly tolerance: number },
): Tails {
  const exact = latticeTails(pairs, draws);
  if (exact !== undefined) return exact;
  const terms = pairs.flatMap((pair) => termOf(pair, tolerance));
  if (terms.length === 0) return noDifference;
  terms.sort((a, b) => b.variance - a.variance || b.skew - a.skew);
  const drawSum = sumOfTerms(terms, seededRandom(seed));
  const largest = Math.sqrt(terms[0]?.variance ?? 0);
  const slack = pairs.length * Math.max(tolerance, largest * 2 ** -40);
  const tails = new DrawnTails(observed, attainableTail(terms, tolerance), slack);
  for (let draw = 0; draw < draws; draw += 1) {
    tails.add(drawSum());
  }
  return tails.tails();
}

/**
 * The term of one pair in the sum: `scale` times the sum of `chosen` of its values, drawn without replacement. Its
 * mean is 0.
 */
interface Term {
  readonly values: Float64Array;
  readonly chosen: number;
  readonly scale: number;
  readonly variance: number;
  /** Third central moment. */
  readonly skew: number;
}

/** An empty list for a pair that can only add 0. */
function termOf({ base, other }: TrialPair, tolerance: number): Term | [] {
  if (base.length === other.length) {
    const size = Math.abs(meanOf(other) - meanOf(base));
    if (size <= tolerance) return [];
    const values = Float64Array.of(-size, size);
    return { values, chosen: 1, scale: 1, variance: size ** 2, skew: 0 };
  }
  const values = Float64Array.from([...Array.from(base), ...Array.from(other)]).sort();
  if ((values.at(-1) ?? 0) - (values[0] ?? 0) <= tolerance) return [];
  return dealtTerm(values, base.length, other.length);
}

/**
 * Deals out the smaller side: choosing k of n values has these moments (Cochran 1977, Sampling Techniques, chapter
 * 2).
 */
function dealtTerm(values: Float64Array, inBase: number, inOther: number): Term {
  const n = values.length;
  const chosen = Math.min(inBase, inOther);
  const mean = sumOf(values) / n;
  const centred = values.map((value) => value - mean);
  const scale = (inOther < inBase ? 1 : -1) * (1 / inBase + 1 / inOther);
  const left = n - chosen;
  const second = sumOf(centred.map((value) => value ** 2)) / n;
  const third = sumOf(centred.map((value) => value ** 3)) / n;
  return {
    values: centred,
    chosen,
    scale,
    variance: scale ** 2 * second * ((chosen * left) / (n - 1)),
    skew: scale ** 3 * third * ((chosen * left * (left - chosen)) / ((n - 1) * (n - 2))),
  };
}

/** The probability that every pair adds the least, or that every pair adds the most. */
function attainableTail(terms: readonly Term[], tolerance: number): number {
  let [least, most] = [1, 1];
  for (const { values, chosen, scale } of terms) {
    const [low, high] = [values[chosen - 1] ?? 0, values[values.length - chosen] ?? 0];
    const lowest = tiesChance(values, chosen, (value) => value - low, tolerance);
    const highest = tiesChance(values, chosen, (value) => high - value, tolerance);
    least *= scale > 0 ? lowest : highest;
    most *= scale > 0 ? highest : lowest;
  }
  return Math.min(least, most);
}

/**
 * The probability that so many chosen values are the extreme ones. `beyond` is negative for values that are always
 * among these, and 0 for those that are as extreme as the last of them.
 */
function tiesChance(
  values: Float64Array,
  chosen: number,
  beyond: (value: number) => number,
  tolerance: number,
): number {
  let sure = 0;
  let ties = 0;
  for (const value of values) {
    const distance = beyond(value);
    if (distance < -tolerance) sure += 1;
    else if (distance <= tolerance) ties += 1;
  }
  // choose(ties, chosen − sure) / choose(values, chosen)
  let chance = 1;
  for (let i = 0; i < chosen; i += 1) chance *= (i + 1) / (values.length - i);
  for (let i = 0; i < chosen - sure; i += 1) chance *= (ties - i) / (i + 1);
  return chance;
}

function sumOfTerms(terms: readonly Term[], random: Random): () => number {
  let dealt = 0;
  const rest = terms.findIndex(({ chosen }) => {
    dealt += chosen;
    return dealt > mostDealtTrials;
  });
  const drawDealt = sumOfDealt(rest < 0 ? terms : terms.slice(0, rest), random);
  if (rest < 0) return drawDealt;
  const left = terms.slice(rest);
  const deviation = Math.sqrt(sumOf(left.map((term) => term.variance)));
  const skewness = sumOf(left.map((term) => term.skew)) / deviation ** 3;
  return () => {
    const z = normalQuantile(random() + 2 ** -54);
    return drawDealt() + deviation * (z + (skewness / 6) * (z * z - 1));
  };
}

/** Keeps all values in one list and continues to shuffle it, so that a draw costs only its random numbers. */
function sumOfDealt(terms: readonly Term[], random: Random): () => number {
  const length = terms.reduce((sum, term) => sum + term.values.length, 0);
  const values = new Float64Array(length);
  let end = 0;
  for (const term of terms) {
    values.set(
      term.values.map((value) => value * term.scale),
      end,
    );
    end += term.values.length;
  }
  const sizes = Uint32Array.from(terms, (term) => term.values.length);
  const chosen = Uint32Array.from(terms, (term) => term.chosen);
  return () => {
    let sum = 0;
    let start = 0;
    for (let term = 0; term < sizes.length; term += 1) {
      const size = sizes[term] ?? 0;
      const choose = chosen[term] ?? 0;
      for (let i = 0; i < choose; i += 1) {
        const from = start + i;
        const at = from + Math.floor(random() * (size - i));
        const value = values[at] ?? 0;
        values[at] = values[from] ?? 0;
        values[from] = value;
        sum += value;
      }
      start += size;
    }
    return sum;
  };
}
