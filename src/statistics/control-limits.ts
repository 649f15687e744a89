import type { Bounds } from './bounds.js';
import { normalQuantile } from './normal-quantile.js';

/** What is known of the values of one case: how many, their sum, and the sum of their squares. */
export interface Draws {
  readonly count: number;
  readonly sum: number;
  readonly squares: number;
}

/** A case of a further run: the values it had before (2 or more), and those that it has in the run (1 or more). */
export interface ExpectedCase {
  readonly before: Draws;
  readonly now: Draws;
}

/** How far the mean of a run lies from what its cases let expect, all in the unit of the values. */
export interface Deviation {
  /** The mean over the values of the run, and the one that its cases let expect. */
  readonly mean: number;
  readonly expected: number;
  /** The standard deviation of their difference, were the system unchanged; 0 if the values of every case are all alike. */
  readonly sd: number;
}

const z = -normalQuantile(0.025);

/**
 * The mean of a further run of an unchanged system, by the values that each case had before. The cases are the same, so
 * only their own noise moves the mean: with nᵢ values before of variance sᵢ² (unbiased), kᵢ values now, and weights
 * wᵢ = kᵢ / Σk, the difference has the variance Σ wᵢ² sᵢ² (1/kᵢ + 1/nᵢ): that of a prediction (Hahn and Meeker 1991,
 * "Statistical Intervals", section 4.7), for strata of fixed sizes (Cochran 1977, "Sampling Techniques", section 5.6).
 * For verdicts (`isShare`), (z / 2Σk)² is added, the term of Wilson's interval: cases that were alike so far may still
 * vary. `undefined` without cases.
 */
export function deviationOf(
  cases: readonly ExpectedCase[],
  isShare: boolean,
): Deviation | undefined {
  const size = cases.reduce((sum, { now }) => sum + now.count, 0);
  if (size === 0) return undefined;
  let [mean, expected, variance] = [0, 0, 0];
  for (const { before, now } of cases) {
    const weight = now.count / size;
    mean += now.sum / size;
    expected += (weight * before.sum) / before.count;
    variance += weight ** 2 * varianceOf(before) * (1 / now.count + 1 / before.count);
  }
  const unseen = isShare ? (z / (2 * size)) ** 2 : 0;
  return { mean, expected, sd: Math.sqrt(variance + unseen) };
}

function varianceOf({ count, sum, squares }: Draws): number {
  const variance = (squares - sum ** 2 / count) / (count - 1);
  // Of equal values, only rounding is left.
  return variance > 1e-12 * (squares / count) ? variance : 0;
}

/**
 * The band in which the mean of 95 of 100 runs of an unchanged system lies: expected ± 1.96 sd, verdicts within 0 and 1.
 * Its coverage by simulation: `benchmarks/trend.mjs`.
 */
export function controlLimits({ expected, sd }: Deviation, isShare: boolean): Bounds {
  const [low, high] = [expected - z * sd, expected + z * sd];
  return isShare ? { low: Math.max(0, low), high: Math.min(1, high) } : { low, high };
}

/** Parameters of {@link DriftSum}, in standard deviations. */
const driftParameters = { k: 0.5, h: 5 } as const;

/**
 * The cumulative sums (CUSUM) of Page (1954, "Continuous Inspection Schemes", Biometrika 41, 100–115) that find a slow
 * drift: of differences from what was expected, in standard deviations, each less k = ½, from 0 on. Above h = 5 there is
 * a drift. Without one, that happens once in 465 runs on average; after a shift of one standard deviation, within 10.4
 * (Montgomery 2013, "Introduction to Statistical Quality Control", 7th edition, section 9.1). Each difference is from the
 * mean of all runs before it, as in the self-starting CUSUM of Hawkins (1987, The Statistician 36, 299–316), so no runs have
 * to be set apart.
 */
export class DriftSum {
  #up = 0;
  #down = 0;

  /** Adds a run; where its drift lies, if this shows one. The sums then begin again. */
  add({ mean, expected, sd }: Deviation): 'up' | 'down' | undefined {
    if (sd === 0) return undefined;
    const { k, h } = driftParameters;
    const standard = (mean - expected) / sd;
    this.#up = Math.max(0, this.#up + standard - k);
    this.#down = Math.max(0, this.#down - standard - k);
    const drift = this.#up > h ? 'up' : this.#down > h ? 'down' : undefined;
    if (drift !== undefined) this.reset();
    return drift;
  }

  reset(): void {
    this.#up = 0;
    this.#down = 0;
  }
}
