import { drawBinomial } from '../../statistics/binomial-sampler.js';
import { hypergeometric } from '../../statistics/hypergeometric.js';
import { type Random, seededRandom } from '../../statistics/random.js';
import { binomial, normalCdf } from './single-trial-power.js';

/** Passes of the trials of a case in two runs. */
export interface CasePasses {
  readonly base: number;
  readonly inBase: number;
  readonly other: number;
  readonly inOther: number;
}

const seed = 20251107;
const simulations = 200;
/** Pairs that differ whose signs are counted exactly. */
const mostExact = 14;

/** At one deviation below 0, no test at 2.5 % is near its level. */
const farFromFound = -1;

/** Pass probabilities, closer together near 0 and 1, and how many cases have each, as a share. */
interface Rates {
  readonly rates: Float64Array;
  readonly shares: Float64Array;
}

/** What a pair of so many trials can show: the probability depends on the drop. */
interface Outcome {
  readonly base: number;
  readonly other: number;
  /** The difference of the shares that passed. */
  readonly difference: number;
  /** Second, third and fourth cumulant of the difference when chance alone sets the runs apart. */
  readonly cumulants: readonly [number, number, number];
  /** Logarithm of the probability of the least difference. */
  readonly leastLog: number;
}

/** The cases with the same numbers of trials. */
interface Group {
  readonly inBase: number;
  readonly inOther: number;
  readonly cases: number;
  readonly outcomes: readonly Outcome[];
}

/**
 * The power of the test of a pass rate with trials at a one-sided level to find a drop (0 to 1): the share of simulated
 * comparisons that do, seeded. The pass probability of a case is drawn from a beta distribution over all cases, given its
 * own trials of both runs; the drop lowers all by one factor.
 */
export function trialPower(
  cases: readonly CasePasses[],
  rate: number,
  level: number,
): (drop: number) => number {
  const rates = smoothedRates(cases);
  const groups = groupsOf(cases);
  const isEven = groups.every(({ inBase, inOther }) => inBase === inOther);
  const [first] = groups;
  const trials = isEven && groups.length === 1 ? first?.inBase : undefined;
  return (drop) => {
    const factor = Math.max(0, 1 - drop / rate);
    const chances = groups.map((group) => outcomeChances(group, rates, factor));
    const random = seededRandom(seed);
    let found = 0;
    for (let n = 0; n < simulations; n += 1) {
      const counts = groups.map(({ cases: size }, at) => drawCounts(size, chances[at], random));
      if (isFound(groups, counts, { level, trials })) found += 1;
    }
    return found / simulations;
  };
}

const gridSize = 64;

/** The distribution of pass probabilities: a mixture of beta distributions, each given the trials of a case. */
function smoothedRates(cases: readonly CasePasses[]): Rates {
  const { passes, trials, pairs, squares } = cases.reduce(
    (sums, one) => {
      const own = one.inBase + one.inOther;
      return {
        passes: sums.passes + one.base + one.other,
        trials: sums.trials + own,
        pairs: sums.pairs + own * (own - 1),
        squares: sums.squares,
      };
    },
    { passes: 0, trials: 0, pairs: 0, squares: 0 },
  );
  const mean = (passes + 0.5) / (trials + 1);
  let spread = squares;
  for (const one of cases) {
    spread += (one.base + one.other - mean * (one.inBase + one.inOther)) ** 2;
  }
  // The intraclass correlation by the method of moments.
  const alike = (spread / (mean * (1 - mean)) - trials) / pairs;
  const correlation = Math.min(0.95, Math.max(0.02, alike));
  const strength = (1 - correlation) / correlation;
  const rates = Float64Array.from(
    { length: gridSize },
    (_, i) => Math.sin((Math.PI * (i + 0.5)) / (2 * gridSize)) ** 2,
  );
  const shares = new Float64Array(gridSize);
  for (const [key, count] of countBy(
    cases.map((one) => `${one.base + one.other} ${one.inBase + one.inOther}`),
  )) {
    const [own = 0, of = 0] = key.split(' ').map(Number);
    // The grid is even in the angle, whose density has half a power more at each end.
    const [a, b] = [mean * strength + own - 0.5, (1 - mean) * strength + of - own - 0.5];
    const logs = rates.map((rate) => a * Math.log(rate) + b * Math.log(1 - rate));
    const most = logs.reduce((largest, one) => Math.max(largest, one));
    const weights = logs.map((one) => Math.exp(one - most));
    const sum = weights.reduce((total, one) => total + one, 0);
    weights.forEach((weight, i) => {
      shares[i] = (shares[i] ?? 0) + (weight / sum) * (count / cases.length);
    });
  }
  return { rates, shares };
}

function countBy(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function groupsOf(cases: readonly CasePasses[]): Group[] {
  const counts = countBy(cases.map(({ inBase, inOther }) => `${inBase} ${inOther}`));
  return [...counts].sort().map(([key, size]) => {
    const [inBase = 1, inOther = 1] = key.split(' ').map(Number);
    return { inBase, inOther, cases: size, outcomes: outcomesOf(inBase, inOther) };
  });
}

function outcomesOf(inBase: number, inOther: number): Outcome[] {
  const outcomes: Outcome[] = [];
  for (let base = 0; base <= inBase; base += 1) {
    for (let other = 0; other <= inOther; other += 1) {
      const difference = other / inOther - base / inBase;
      const { cumulants, leastLog } =
        inBase === inOther ? flipped(difference) : dealt(base + other, inBase, inOther);
      outcomes.push({ base, other, difference, cumulants, leastLog });
    }
  }
  return outcomes;
}

function flipped(difference: number): Pick<Outcome, 'cumulants' | 'leastLog'> {
  const leastLog = difference === 0 ? 0 : Math.log(0.5);
  return { cumulants: [difference ** 2, 0, -2 * difference ** 4], leastLog };
}

function dealt(
  passes: number,
  inBase: number,
  inOther: number,
): Pick<Outcome, 'cumulants' | 'leastLog'> {
  const { least, chances } = hypergeometric(passes, inBase, inOther);
  const moment = (power: number) =>
    chances.reduce((sum, chance, i) => {
      const other = least + i;
      return sum + chance * (other / inOther - (passes - other) / inBase) ** power;
    }, 0);
  const [second, third, fourth] = [moment(2), moment(3), moment(4)];
  return {
    cumulants: [second, third, fourth - 3 * second ** 2],
    leastLog: Math.log(chances[0] ?? 1),
  };
}

function outcomeChances(
  { inBase, inOther, outcomes }: Group,
  { rates, shares }: Rates,
  factor: number,
): Float64Array {
  const chances = new Float64Array(outcomes.length);
  rates.forEach((rate, i) => {
    const share = shares[i] ?? 0;
    if (share < 1e-9) return;
    const before = binomial(inBase, rate);
    const after = binomial(inOther, rate * factor);
    outcomes.forEach(({ base, other }, at) => {
      chances[at] = (chances[at] ?? 0) + share * (before[base] ?? 0) * (after[other] ?? 0);
    });
  });
  return chances;
}

/** Draws how many cases have each outcome. */
function drawCounts(cases: number, chances: Float64Array | undefined, random: Random): number[] {
  let left = cases;
  let chanceLeft = 1;
  return Array.from(chances ?? [], (chance) => {
    const count = chance <= 0 ? 0 : drawBinomial(random, left, Math.min(1, chance / chanceLeft));
    left -= count;
    chanceLeft -= chance;
    return count;
  });
}

/** True if the test finds a drop in these outcomes: exactly for few pairs that differ, else by an Edgeworth expansion. */
function isFound(
  groups: readonly Group[],
  counts: readonly (readonly number[])[],
  { level, trials }: { readonly level: number; readonly trials: number | undefined },
): boolean {
  let sum = 0;
  let leastLog = 0;
  let differing = 0;
  const cumulants = [0, 0, 0];
  groups.forEach(({ outcomes }, group) => {
    outcomes.forEach((outcome, at) => {
      const count = counts[group]?.[at] ?? 0;
      if (count === 0) return;
      sum += count * outcome.difference;
      leastLog += count * outcome.leastLog;
      if (outcome.difference !== 0) differing += count;
      outcome.cumulants.forEach((one, i) => {
        cumulants[i] = (cumulants[i] ?? 0) + count * one;
      });
    });
  });
  if (sum >= 0 || leastLog > Math.log(level) + 1e-9) return false;
  const [variance = 0, third = 0, fourth = 0] = cumulants;
  const [one] = groups;
  // Half a step of the lattice.
  const step = trials === undefined ? 1 / (one?.inBase ?? 1) + 1 / (one?.inOther ?? 1) : 2 / trials;
  const deviation = Math.sqrt(variance);
  const z = (sum + step / 2) / deviation;
  if (z > farFromFound) return false;
  if (trials !== undefined && differing <= mostExact) {
    return exactTail(groups, counts, trials) <= level;
  }
  const [skewness, excess] = [third / deviation ** 3, fourth / variance ** 2];
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  const correction =
    (skewness / 6) * (z * z - 1) +
    (excess / 24) * (z ** 3 - 3 * z) +
    (skewness ** 2 / 72) * (z ** 5 - 10 * z ** 3 + 15 * z);
  return normalCdf(z) - density * correction <= level;
}

/** The tail of all signs, in steps of one trial. */
function exactTail(
  groups: readonly Group[],
  counts: readonly (readonly number[])[],
  trials: number,
): number {
  const sizes: number[] = [];
  let sum = 0;
  groups.forEach(({ outcomes }, group) => {
    outcomes.forEach(({ base, other }, at) => {
      const count = counts[group]?.[at] ?? 0;
      for (let n = 0; n < count && base !== other; n += 1) sizes.push(Math.abs(other - base));
      sum += count * (other - base);
    });
  });
  // The number of steps that are down.
  const total = sizes.reduce((all, size) => all + size, 0);
  let ways = new Float64Array(trials * sizes.length + 1);
  ways[0] = 1;
  let most = 0;
  for (const size of sizes) {
    const next = ways.slice();
    for (let at = 0; at <= most; at += 1)
      next[at + size] = (next[at + size] ?? 0) + (ways[at] ?? 0);
    most += size;
    ways = next;
  }
  // up − down = sum, up + down = total
  const up = (total + sum) / 2;
  let tail = 0;
  for (let at = 0; at <= up; at += 1) tail += ways[at] ?? 0;
  return tail / 2 ** sizes.length;
}

/** The lower tail if everything that passed in the base fails in the other run. */
export function lowestTail(cases: readonly CasePasses[]): number {
  let log = 0;
  for (const { base, inBase, inOther } of cases) {
    if (base === 0) continue;
    log += inBase === inOther ? Math.log(0.5) : dealt(base, inBase, inOther).leastLog;
  }
  return Math.exp(log) * (1 - 1e-12);
}
