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
const simulations = 400;
/** Pairs that differ whose signs are counted exactly. */
const mostExact = 14;

/** At one deviation below 0, no test at 2.5 % is near its level. */
const farFromFound = -1;

/** Pass probabilities, closer together near 0 and 1, and how many cases have each, as a share. */
export interface PassRates {
  readonly rates: Float64Array;
  readonly shares: Float64Array;
}

/** What a pair of so many trials can show: the probability depends on the drop. */
export interface PairOutcome {
  readonly base: number;
  readonly other: number;
  /** The difference of the shares that passed. */
  readonly difference: number;
  /** Second, third and fourth cumulant of the difference when chance alone sets the runs apart. */
  readonly cumulants: readonly [number, number, number];
  /** Logarithm of the probability of the least difference. */
  readonly leastLog: number;
}

/** How many simulated pairs have an outcome: at least one. */
interface Drawn {
  readonly outcome: PairOutcome;
  readonly count: number;
}

/** Cases that are alike, and what a pair of each can show. */
export interface OutcomeGroup {
  readonly cases: number;
  readonly outcomes: readonly PairOutcome[];
}

/** The cases with the same numbers of trials. */
interface Group extends OutcomeGroup {
  readonly inBase: number;
  readonly inOther: number;
}

/**
 * True for drops (0 to 1) that the test of a pass rate with trials finds, at a one-sided level, in at least such a share
 * of simulated comparisons, seeded. The pass probability of a case is drawn from a beta distribution over all cases,
 * given its own trials of both runs, or of the base if the runs differ beyond chance; the drop lowers all by one factor.
 */
export function findsInTrials(
  cases: readonly CasePasses[],
  { isChanged, level, least }: TrialTest,
): (drop: number) => boolean {
  const rates = smoothedRates(cases, isChanged);
  const mean = meanRate(rates);
  const groups = groupsOf(cases);
  const [first, ...others] = groups;
  const { inBase = 1, inOther = 1 } = first ?? {};
  const trials = inBase === inOther && others.length === 0 ? inBase : undefined;
  // Half a step of the lattice of sums.
  const halfStep = (1 / inBase + 1 / inOther) / 2;
  return (drop) => {
    const factor = Math.max(0, 1 - drop / mean);
    const chances = groups.map((group) => outcomeChances(group, rates, factor));
    return isFoundOften(groups, chances, { level, trials, halfStep }, { least, simulations });
  };
}

/** True if the test finds a drop in at least a share `least` of so many simulated comparisons, seeded. */
export function isFoundOften(
  groups: readonly OutcomeGroup[],
  chances: readonly Float64Array[],
  test: DropTest,
  { least, simulations: of }: { readonly least: number; readonly simulations: number },
): boolean {
  const mostMissed = Math.floor(of * (1 - least));
  const random = seededRandom(seed);
  let missed = 0;
  for (let left = of; left > 0 && missed <= mostMissed; left -= 1) {
    const drawn = groups.flatMap((group, at) => drawOutcomes(group, chances[at], random));
    if (!isFound(drawn, test)) missed += 1;
  }
  return missed <= mostMissed;
}

/** The mean of pass probabilities. */
export function meanRate({ rates, shares }: PassRates): number {
  return rates.reduce((sum, rate, i) => sum + rate * (shares[i] ?? 0), 0);
}

/** `isChanged`: the runs differ beyond chance. `least`: the power that is asked for. */
interface TrialTest {
  readonly isChanged: boolean;
  readonly level: number;
  readonly least: number;
}

const gridSize = 64;

/**
 * The distribution of pass probabilities: a mixture of beta distributions, each given the trials of a case. Those of the
 * base alone if the runs differ beyond chance. `correlation`: how alike the trials of a case are (above 0, below 1), where
 * single trials do not tell.
 */
export function smoothedRates(
  cases: readonly CasePasses[],
  isChanged: boolean,
  correlation = correlationOf(cases, isChanged),
): PassRates {
  const own = ownTrials(cases, isChanged);
  const mean = smoothedShare(own);
  const strength = (1 - correlation) / correlation;
  const rates = Float64Array.from(
    { length: gridSize },
    (_, i) => Math.sin((Math.PI * (i + 0.5)) / (2 * gridSize)) ** 2,
  );
  const shares = new Float64Array(gridSize);
  for (const [key, count] of countBy(own.map((one) => one.join(' ')))) {
    const [passes = 0, of = 0] = key.split(' ').map(Number);
    // The grid is even in the angle, whose density has half a power more at each end.
    const [a, b] = [mean * strength + passes - 0.5, (1 - mean) * strength + of - passes - 0.5];
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

/** Passes, and of how many trials. */
type Counts = readonly [passes: number, of: number];

/** What shows the rate of the base in each case: both runs, unless they differ beyond chance. */
export function ownTrials(cases: readonly CasePasses[], isChanged: boolean): Counts[] {
  return cases.map(({ base, inBase, other, inOther }) =>
    isChanged ? [base, inBase] : [base + other, inBase + inOther],
  );
}

/** The share of passes, never 0 or 1. */
export function smoothedShare(counts: readonly Counts[]): number {
  let [passes, trials] = [0, 0];
  for (const [own, of] of counts) {
    passes += own;
    trials += of;
  }
  return (passes + 0.5) / (trials + 1);
}

function correlationOf(cases: readonly CasePasses[], isChanged: boolean): number {
  const before = smoothedShare(cases.map(({ base, inBase }) => [base, inBase]));
  const after = smoothedShare(cases.map(({ other, inOther }) => [other, inOther]));
  const mean = smoothedShare(ownTrials(cases, isChanged));
  return isChanged
    ? intraclassCorrelation(cases, before, after)
    : intraclassCorrelation(cases, mean, mean);
}

/** The bounds of {@link intraclassCorrelation}. */
export const [leastAlike, mostAlike] = [0.02, 0.95];

/** How alike the trials of a case are in both runs, whose pass rates are given: by the method of moments. */
function intraclassCorrelation(
  cases: readonly CasePasses[],
  before: number,
  after: number,
): number {
  const [first, second] = [before * (1 - before), after * (1 - after)];
  let [spread, alone, together] = [0, 0, 0];
  for (const { base, inBase, other, inOther } of cases) {
    spread += (base - before * inBase + other - after * inOther) ** 2;
    alone += inBase * first + inOther * second;
    together +=
      inBase * (inBase - 1) * first +
      inOther * (inOther - 1) * second +
      2 * inBase * inOther * Math.sqrt(first * second);
  }
  return Math.min(mostAlike, Math.max(leastAlike, (spread - alone) / together));
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

function outcomesOf(inBase: number, inOther: number): PairOutcome[] {
  const outcomes: PairOutcome[] = [];
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

export function flipped(difference: number): Pick<PairOutcome, 'cumulants' | 'leastLog'> {
  const leastLog = difference === 0 ? 0 : Math.log(0.5);
  return { cumulants: [difference ** 2, 0, -2 * difference ** 4], leastLog };
}

function dealt(
  passes: number,
  inBase: number,
  inOther: number,
): Pick<PairOutcome, 'cumulants' | 'leastLog'> {
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
  { rates, shares }: PassRates,
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

/** Draws how many cases have each outcome; what none has is left out. */
function drawOutcomes(
  { cases, outcomes }: OutcomeGroup,
  chances: Float64Array | undefined,
  random: Random,
): Drawn[] {
  const drawn: Drawn[] = [];
  let left = cases;
  let chanceLeft = 1;
  for (const [at, outcome] of outcomes.entries()) {
    if (left === 0) break;
    const chance = chances?.[at] ?? 0;
    const count = chance <= 0 ? 0 : drawBinomial(random, left, Math.min(1, chance / chanceLeft));
    if (count > 0) drawn.push({ outcome, count });
    left -= count;
    chanceLeft -= chance;
  }
  return drawn;
}

/** The test of a drop at a one-sided level. */
export interface DropTest {
  readonly level: number;
  /** Of every case in both runs; `undefined` if they have not equally many. */
  readonly trials: number | undefined;
  /** Half of what one trial more that passes adds to the sum of differences. */
  readonly halfStep: number;
}

/** True if the test finds a drop in these pairs: exactly for few pairs that differ, else by an Edgeworth expansion. */
function isFound(drawn: readonly Drawn[], { level, trials, halfStep }: DropTest): boolean {
  let [sum, leastLog, differing] = [0, 0, 0];
  let [variance, third, fourth] = [0, 0, 0];
  for (const { outcome, count } of drawn) {
    if (outcome.difference === 0 && outcome.leastLog === 0) continue;
    sum += count * outcome.difference;
    leastLog += count * outcome.leastLog;
    if (outcome.difference !== 0) differing += count;
    variance += count * outcome.cumulants[0];
    third += count * outcome.cumulants[1];
    fourth += count * outcome.cumulants[2];
  }
  if (sum >= 0 || leastLog > Math.log(level) + 1e-9) return false;
  const deviation = Math.sqrt(variance);
  const z = (sum + halfStep) / deviation;
  if (z > farFromFound) return false;
  if (trials !== undefined && differing <= mostExact) return exactTail(drawn, trials) <= level;
  const [skewness, excess] = [third / deviation ** 3, fourth / variance ** 2];
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  const correction =
    (skewness / 6) * (z * z - 1) +
    (excess / 24) * (z ** 3 - 3 * z) +
    (skewness ** 2 / 72) * (z ** 5 - 10 * z ** 3 + 15 * z);
  return normalCdf(z) - density * correction <= level;
}

/** The tail of all signs, in steps of one trial. */
function exactTail(drawn: readonly Drawn[], trials: number): number {
  const sizes: number[] = [];
  let sum = 0;
  for (const { outcome, count } of drawn) {
    const step = outcome.other - outcome.base;
    for (let n = 0; n < count && step !== 0; n += 1) sizes.push(Math.abs(step));
    sum += count * step;
  }
  const total = sizes.reduce((all, size) => all + size, 0);
  // By the number of steps up.
  const ways = new Float64Array(trials * sizes.length + 1);
  ways[0] = 1;
  let most = 0;
  for (const size of sizes) {
    most += size;
    for (let at = most; at >= size; at -= 1) ways[at] = (ways[at] ?? 0) + (ways[at - size] ?? 0);
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
