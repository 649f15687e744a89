import { normalQuantile } from '../../statistics/normal-quantile.js';
import { roundingTolerance } from '../../statistics/rounding-tolerance.js';
import { meanOf } from '../../statistics/sums.js';
import { familyLevel } from '../../statistics/tarone.js';
import { isUnbounded } from '../../statistics/value-scale.js';
import type { FullPair } from '../cases/pair-cases.js';
import type { Measure, MeasureColumn } from '../differences/measure-columns.js';
import { singleTrialPower } from './single-trial-power.js';
import { type CasePasses, lowestTail, trialPower } from './trial-power.js';

/** The power that is asked for. */
const wanted = 0.8;
const quantile = normalQuantile(wanted);

/** What is looked for: which way is worse, and among how many tests it is judged. */
export interface Wanted {
  readonly better: 'higher' | 'lower';
  readonly among: number;
  /** The difference has an interval. */
  readonly hasInterval: boolean;
}

/**
 * The smallest change for the worse that the test of a measure, one among so many, finds with 80 % power; at most what the
 * base has to lose. `null` if it would not even find that all is lost, and if it is unknown: for values without an
 * interval, and where cases share clusters. See `singleTrialPower` and `trialPower`.
 */
export function detectableChange(
  pairs: readonly FullPair[],
  column: MeasureColumn,
  measure: Measure,
  { better, among, hasInterval }: Wanted,
): number | null {
  if (column.at.length === 0 || column.units !== undefined) return null;
  const level = familyLevel / among;
  if (!measure.isShare) return hasInterval ? detectableMean(column, better, level) : null;
  const cases = passesOf(pairs, column, measure, better);
  const rate = cases.reduce((sum, one) => sum + one.base / one.inBase, 0) / cases.length;
  if (rate === 0) return null;
  const isSingle = cases.every(({ inBase, inOther }) => inBase === 1 && inOther === 1);
  const differing = cases.reduce((sum, one) => (one.base === one.other ? sum : sum + 1), 0);
  const power = isSingle
    ? singleTrialPower({ pairs: cases.length, differing, rate }, level)
    : trialPower(cases, rate, level);
  const steps = isSingle ? 12 : 8;
  if (power(rate) < wanted) return lowestTail(cases) <= level ? rate : null;
  return smallest(rate, steps, (drop) => power(drop) >= wanted);
}

/** The passes of each case; where lower is better, what did not pass. */
function passesOf(
  pairs: readonly FullPair[],
  { at, base, other }: MeasureColumn,
  { count }: Measure,
  better: Wanted['better'],
): CasePasses[] {
  return Array.from(at, (position, i) => {
    const pair = pairs[position];
    const inBase = pair === undefined ? 1 : count(pair.base);
    const inOther = pair === undefined ? 1 : count(pair.other);
    const share = (passed: number) => (better === 'higher' ? passed : 1 - passed);
    return {
      base: Math.round(share(base[i] ?? 0) * inBase),
      inBase,
      other: Math.round(share(other[i] ?? 0) * inOther),
      inOther,
    };
  });
}

/** Halves the range so often. */
function smallest(most: number, steps: number, isEnough: (drop: number) => boolean): number {
  let low = 0;
  let high = most;
  for (let step = 0; step < steps; step += 1) {
    const middle = (low + high) / 2;
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * For values, the paired test is nearly that of Student: δ √n = z √(s² + δ²) + z.8 s, with s² the variance of the
 * differences, which holds the noise within cases (Miller 2024, "Adding Error Bars to Evals", arXiv:2411.00640, section
 * 5).
 */
function detectableMean(
  { base, other, scale }: MeasureColumn,
  better: Wanted['better'],
  level: number,
): number | null {
  const n = base.length;
  const differences = other.map((value, i) => value - (base[i] ?? 0));
  const mean = meanOf(differences);
  const variance = meanOf(differences.map((one) => (one - mean) ** 2)) * (n / (n - 1));
  const deviation = Math.sqrt(variance);
  if (n < 2 || !Number.isFinite(variance) || deviation <= roundingTolerance(base, other))
    return null;
  const z = -normalQuantile(level);
  const isEnough = (drop: number) =>
    drop * Math.sqrt(n) >= z * Math.sqrt(variance + drop ** 2) + quantile * deviation;
  const room =
    scale === undefined || isUnbounded(scale)
      ? Math.abs(meanOf(base))
      : better === 'higher'
        ? meanOf(base) - scale.low
        : scale.high - meanOf(base);
  return isEnough(room) ? smallest(room, 40, isEnough) : null;
}
