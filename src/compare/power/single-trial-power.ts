import { fairCoinTails } from '../../statistics/half-binomial.js';
import { normalQuantile } from '../../statistics/normal-quantile.js';

/** Pairs of single trials that pass or fail. */
export interface SinglePairs {
  readonly pairs: number;
  /** Pairs that differ, in either direction. */
  readonly differing: number;
  /** The share that passed in the base. */
  readonly rate: number;
}

const mostEnumerated = 2000;
const negligible = 1e-9;

/**
 * The power of McNemar's exact test at a one-sided level to find a drop of a pass rate (0 to 1), by enumeration of the
 * pairs that differ. Of an unchanged system ψ = (differing + 2) / (pairs + 2) would differ, half in each direction; the
 * drop comes on top, in one direction, and what it takes cannot differ by chance any more. The drop may also come alone
 * (ψ = 0), in a system whose cases are sure: the power is the smaller of both.
 */
export function singleTrialPower(data: SinglePairs, level: number): (drop: number) => number {
  const { pairs, differing, rate } = data;
  const most = (differing + 2) / (pairs + 2) / 2;
  const critical = criticalCounts(pairs > mostEnumerated ? 0 : pairs, level);
  return (drop) => {
    const better = most * Math.max(0, 1 - drop / rate);
    return Math.min(
      powerOf(pairs, drop + better, better, { critical, level }),
      powerOf(pairs, drop, 0, { critical, level }),
    );
  };
}

interface Test {
  readonly critical: Int32Array;
  readonly level: number;
}

function powerOf(pairs: number, worse: number, better: number, { critical, level }: Test): number {
  const differ = Math.min(1, worse + better);
  if (differ <= 0) return 0;
  if (pairs > mostEnumerated) return normalPower(pairs, worse, better, level);
  let power = 0;
  const chances = binomial(pairs, differ);
  for (let count = 0; count <= pairs; count += 1) {
    const chance = chances[count] ?? 0;
    const most = critical[count] ?? -1;
    if (chance < negligible || most < 0) continue;
    const up = binomial(count, better / differ);
    let found = 0;
    for (let higher = 0; higher <= most; higher += 1) found += up[higher] ?? 0;
    power += chance * Math.min(1, found);
  }
  return power;
}

/** Connor 1987, "Sample Size for Testing Differences in Proportions for the Paired-Sample Design", Biometrics 43, 207–211. */
function normalPower(pairs: number, worse: number, better: number, level: number): number {
  const [differ, drop] = [worse + better, worse - better];
  const z = -normalQuantile(level) * Math.sqrt(differ);
  return normalCdf((drop * Math.sqrt(pairs) - z) / Math.sqrt(Math.max(1e-300, differ - drop ** 2)));
}

/** For each number of pairs that differ, how many of them may be better when the test still finds a drop; −1 for none. */
function criticalCounts(most: number, level: number): Int32Array {
  const critical = new Int32Array(most + 1).fill(-1);
  let higher = -1;
  for (let count = 1; count <= most; count += 1) {
    // One pair more lets at most one more be better.
    if (fairCoinTails(count, higher + 1).lower <= level) higher += 1;
    critical[count] = higher;
  }
  return critical;
}

/** The probabilities of 0 to n successes. */
export function binomial(n: number, probability: number): Float64Array {
  const chances = new Float64Array(n + 1);
  const mode = Math.min(n, Math.floor((n + 1) * probability));
  const odds = probability / (1 - probability);
  if (probability <= 0 || probability >= 1) {
    chances[probability <= 0 ? 0 : n] = 1;
    return chances;
  }
  // Relative to the most likely count, nothing overflows, and terms that underflow are negligible.
  let sum = 0;
  for (let k = mode, mass = 1; k <= n && mass > 0; k += 1) {
    chances[k] = mass;
    sum += mass;
    mass *= (odds * (n - k)) / (k + 1);
  }
  for (let k = mode, mass = 1; k > 0 && mass > 0; k -= 1) {
    mass *= k / (odds * (n - k + 1));
    chances[k - 1] = mass;
    sum += mass;
  }
  return chances.map((mass) => mass / sum);
}

/** Abramowitz and Stegun 26.2.17: to 7 digits. */
export function normalCdf(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const series =
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
  return z > 0 ? 1 - tail : tail;
}
