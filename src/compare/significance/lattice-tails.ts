import { drawBinomial } from '../../statistics/binomial-sampler.js';
import { hypergeometric } from '../../statistics/hypergeometric.js';
import { type Random, seededRandom } from '../../statistics/random.js';
import { DrawnTails, noDifference, type Tails } from '../../statistics/tails.js';
import type { TrialPair } from '../cases/pair-cases.js';

/**
 * What each of some equal pairs can add to the sum, in whole steps: the probabilities of 0, 1, 2 … strides above
 * the least.
 */
interface LatticeTerm {
  readonly least: number;
  readonly stride: number;
  readonly chances: Float64Array;
  /** The number of equal pairs. */
  pairs: number;
}

const seed = 20251106;
const mostWork = 1e8;
const longestStep = 1e6;
const workInStep = 2e6;

/**
 * The tails of `permutedTails` when all values are 0 or 1: what a pair adds is hypergeometric, or a flipped sign,
 * and lies on the lattice of the common denominator of all means. Exact, by convolution, if that takes at most 10⁸
 * additions; else drawn, equal pairs at a time. `undefined` for other values, and for a common denominator over
 * 10⁶.
 */
export function latticeTails(pairs: readonly TrialPair[], draws: number): Tails | undefined {
  if (!pairs.every(({ base, other }) => isBinary(base) && isBinary(other))) return undefined;
  const step = commonMultiple(pairs.flatMap(({ base, other }) => [base.length, other.length]));
  if (step === undefined) return undefined;
  const terms = termsOf(pairs, step);
  if (terms.length === 0) return noDifference;
  const observed = pairs.reduce((sum, pair) => sum + differenceSteps(pair, step), 0);
  const stride = terms.reduce((common, term) => divisor(common, term.stride), 0);
  return workOf(terms, stride) > mostWork
    ? drawnTails(terms, observed, draws)
    : exactTails(terms, stride, observed);
}

function isBinary(values: ArrayLike<number>): boolean {
  for (let i = 0; i < values.length; i += 1) if (values[i] !== 0 && values[i] !== 1) return false;
  return true;
}

function passesOf(values: ArrayLike<number>): number {
  let passes = 0;
  for (let i = 0; i < values.length; i += 1) passes += values[i] ?? 0;
  return passes;
}

/** `undefined` when it is too large. */
function commonMultiple(numbers: readonly number[]): number | undefined {
  let multiple = 1;
  for (const number of new Set(numbers)) {
    multiple *= number / divisor(multiple, number);
    if (multiple > longestStep) return undefined;
  }
  return multiple;
}

function divisor(one: number, two: number): number {
  return two === 0 ? one : divisor(two, one % two);
}

/** The difference of means, other − base, in steps. */
function differenceSteps({ base, other }: TrialPair, step: number): number {
  return passesOf(other) * (step / other.length) - passesOf(base) * (step / base.length);
}

/** One term per group of equal pairs, in an order that does not depend on the order of pairs. */
function termsOf(pairs: readonly TrialPair[], step: number): LatticeTerm[] {
  const known = new Map<string, LatticeTerm>();
  for (const pair of pairs) {
    const term = termOf(pair, step);
    if (term === undefined) continue;
    const name = `${term.least} ${term.stride} ${term.chances.length}`;
    const same = known.get(name);
    if (same === undefined) known.set(name, term);
    else same.pairs += 1;
  }
  return [...known].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, term]) => term);
}

/** `undefined` for a pair that can only add 0. */
function termOf(pair: TrialPair, step: number): LatticeTerm | undefined {
  const inBase = pair.base.length;
  const inOther = pair.other.length;
  if (inBase === inOther) {
    const size = Math.abs(differenceSteps(pair, step));
    if (size === 0) return undefined;
    return { least: -size, stride: 2 * size, chances: Float64Array.of(0.5, 0.5), pairs: 1 };
  }
  const passes = passesOf(pair.base) + passesOf(pair.other);
  const { least, chances } = hypergeometric(passes, inBase, inOther);
  if (chances.length === 1) return undefined;
  const stride = step / inBase + step / inOther;
  return { least: least * stride - passes * (step / inBase), stride, chances, pairs: 1 };
}

/** The number of strides between the least and the most that a pair can add. */
function widthOf(term: LatticeTerm, stride: number): number {
  return ((term.chances.length - 1) * term.stride) / stride;
}

function workOf(terms: readonly LatticeTerm[], stride: number): number {
  let length = 1;
  let work = 0;
  for (const term of terms) {
    const width = widthOf(term, stride);
    work += term.pairs * term.chances.length * (length + (width * (term.pairs - 1)) / 2);
    length += width * term.pairs;
  }
  return work;
}

function exactTails(terms: readonly LatticeTerm[], stride: number, observed: number): Tails {
  let known: Float64Array = Float64Array.of(1);
  let work = 0;
  for (const term of terms) {
    for (let pair = 0; pair < term.pairs; pair += 1) {
      known = convolved(known, term, stride);
      work += known.length * term.chances.length;
      if (work < workInStep) continue;
      work = 0;
    }
  }
  const least = terms.reduce((sum, term) => sum + term.least * term.pairs, 0);
  const at = (observed - least) / stride;
  return {
    lower: total(known, 0, at),
    higher: total(known, at, known.length - 1),
    attainable: attainableTail(terms),
  };
}

/** The probability that every pair adds the least, or that every pair adds the most. */
function attainableTail(terms: readonly LatticeTerm[]): number {
  let [least, most] = [1, 1];
  for (const { chances, pairs } of terms) {
    least *= (chances[0] ?? 1) ** pairs;
    most *= (chances.at(-1) ?? 1) ** pairs;
  }
  return Math.min(least, most);
}

function convolved(known: Float64Array, term: LatticeTerm, stride: number): Float64Array {
  const next = new Float64Array(known.length + widthOf(term, stride));
  term.chances.forEach((chance, x) => {
    const offset = (x * term.stride) / stride;
    for (let at = 0; at < known.length; at += 1) {
      next[at + offset] = (next[at + offset] ?? 0) + (known[at] ?? 0) * chance;
    }
  });
  return next;
}

/** At most 1, which rounding could exceed. */
function total(chances: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at <= to; at += 1) sum += chances[at] ?? 0;
  return Math.min(1, sum);
}

function drawnTails(terms: readonly LatticeTerm[], observed: number, draws: number): Tails {
  const random = seededRandom(seed);
  const least = terms.reduce((sum, term) => sum + term.least * term.pairs, 0);
  const tails = new DrawnTails(observed, attainableTail(terms), 0);
  for (let draw = 0; draw < draws; draw += 1) {
    let sum = least;
    for (const term of terms) sum += term.stride * drawnStrides(term, random);
    tails.add(sum);
  }
  return tails.tails();
}

/** Draws how many pairs add each number of strides, and adds up the strides. */
function drawnStrides({ chances, pairs }: LatticeTerm, random: Random): number {
  let left = pairs;
  let chanceLeft = 1;
  let strides = 0;
  for (let x = 0; x < chances.length - 1 && left > 0; x += 1) {
    const chance = chances[x] ?? 0;
    const drawn = drawBinomial(random, left, Math.min(1, chance / chanceLeft));
    strides += x * drawn;
    left -= drawn;
    chanceLeft -= chance;
  }
  return strides + (chances.length - 1) * left;
}
