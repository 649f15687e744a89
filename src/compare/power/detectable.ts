import { normalQuantile } from '../../statistics/normal-quantile.js';
import { roundingTolerance } from '../../statistics/rounding-tolerance.js';
import { meanOf } from '../../statistics/sums.js';
import { canBeFound, familyLevel, testsAmong } from '../../statistics/tarone.js';
import { isUnbounded } from '../../statistics/value-scale.js';
import type { FullPair } from '../cases/pair-cases.js';
import type { Measure, MeasureColumn } from '../differences/measure-columns.js';
import { type SinglePairs, singleTrialPower } from './single-trial-power.js';
import {
  type CasePasses,
  findsInTrials,
  lowestTail,
  ownTrials,
  smoothedShare,
} from './trial-power.js';

/** The power that is asked for. */
const lowestPower = 0.8;
const quantile = normalQuantile(lowestPower);
/** What is simulated are estimated rates, which costs about two points of power. */
export const lowestSimulated = 0.82;

/** A change that is this share of all there is to lose. */
const negligible = 1e-12;

/** What is looked for, and among which tests. */
export interface Wanted {
  /** The other way is worse. */
  readonly better: 'higher' | 'lower';
  /** The smallest one-sided p-values that the other tests of the family could have. */
  readonly others: readonly number[];
  /** The runs differ beyond chance, so that what differs between them is more than chance. */
  readonly isChanged: boolean;
  /** The difference has an interval. */
  readonly hasInterval: boolean;
}

/**
 * The smallest change for the worse that the test of a measure finds with 80 % power, as one of its family; all that the
 * base has to lose if only that is found; `null` if not even that is, and if it is unknown: for values without an
 * interval, and where cases share clusters. See `singleTrialPower` and `findsInTrials`.
 */
export function detectableChange(
  pairs: readonly FullPair[],
  column: MeasureColumn,
  measure: Measure,
  wanted: Wanted,
): number | null {
  if (column.at.length === 0 || column.units !== undefined) return null;
  const { better, others, isChanged, hasInterval } = wanted;
  const level = familyLevel / likelyTests(others, 1);
  if (!measure.isShare) return hasInterval ? detectableMean(column, better, level) : null;
  const cases = passesOf(pairs, column, measure, better);
  const rate = cases.reduce((sum, one) => sum + one.base / one.inBase, 0) / cases.length;
  if (rate === 0) return null;
  const isSingle = cases.every(({ inBase, inOther }) => inBase === 1 && inOther === 1);
  const isEnough = isSingle
    ? findsInSingleTrials(singlePairs(cases, { rate, isChanged }), level)
    : findsInTrials(cases, { isChanged, level, least: lowestSimulated });
  // Less than the rate where that is by luck.
  const most = Math.min(rate, smoothedShare(ownTrials(cases, isChanged)));
  const least = lowestTail(cases);
  // With very few pairs, one more that differs in another test can leave this one out.
  const isSure = canBeFound(least, likelyTests(others, 2));
  if (isSure && isEnough(most)) return smallest(most, isSingle ? 0.001 : 0.02, isEnough);
  return canBeFound(least, testsAmong([least, ...others])) ? rate : null;
}

/** After a change that is found, its test is one of them; and the others may differ in so many pairs more. */
export function likelyTests(others: readonly number[], pairs: number): number {
  return testsAmong([0, ...others.map((one) => (one < 1 ? one / 2 ** pairs : one))]);
}

function findsInSingleTrials(pairs: SinglePairs, level: number): (drop: number) => boolean {
  const power = singleTrialPower(pairs, level);
  return (drop) => power(drop) >= lowestPower;
}

/** What differs by chance: beyond chance, the way in which most of the pairs differ is no chance. */
function singlePairs(
  cases: readonly CasePasses[],
  { rate, isChanged }: { readonly rate: number; readonly isChanged: boolean },
): SinglePairs {
  const lower = cases.filter(({ base, other }) => base > other).length;
  const higher = cases.filter(({ base, other }) => base < other).length;
  const differing = isChanged ? 2 * Math.min(lower, higher) : lower + higher;
  return { pairs: cases.length, differing, rate };
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

/** The smallest that is enough, up to `most`, which is: halves the range until its width is at most this share of the result. */
export function smallest(most: number, width: number, isEnough: (drop: number) => boolean): number {
  let low = 0;
  let high = most;
  while (high - low > width * high && high > most * negligible) {
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
  return isEnough(room) ? smallest(room, 1e-6, isEnough) : null;
}
