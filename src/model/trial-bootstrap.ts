import type { Estimate } from '../statistics/bounds.js';
import { percentile } from '../statistics/percentile.js';
import { drawCounts } from './draw-counts.js';
import { drawnWithoutMiss } from './pass-at-k.js';
import { seededRandom } from './random.js';
import type { TrialStatistics } from './run.js';

/** How many evaluations have n finished trials of which c passed. */
export interface TrialOutcome {
  readonly n: number;
  readonly c: number;
  readonly evaluations: number;
}

/** How often the evaluations are drawn anew for an interval. */
export const bootstrapResamples = 2000;

const seed = 20240617;

/**
 * pass@k and pass^k, each the mean over evaluations with at least k finished trials, for every k that some
 * evaluation reaches. The intervals are 95 % percentile bootstrap intervals over evaluations (Efron and
 * Tibshirani 1993, chapter 13): the same for the same outcomes, in whatever order they come; `null` where
 * fewer than two evaluations count. The outcomes are distinct in (n, c).
 */
export function estimateByK(outcomes: readonly TrialOutcome[]): TrialStatistics['by_k'] {
  // Common outcomes first: what is left for the rare ones is small and quick to draw. And a fixed order.
  const groups = outcomes
    .filter(({ n, evaluations }) => n > 0 && evaluations > 0)
    .sort((a, b) => b.evaluations - a.evaluations || a.n - b.n || a.c - b.c);
  const means = new MeansByK(groups);
  const counts = groups.map((group) => group.evaluations);
  means.update(counts);
  const observed = { at: means.at.slice(), all: means.all.slice(), of: means.of.slice() };
  const resampled = resample(means, counts);
  return Array.from(observed.at, (at, i) => {
    const enough = (observed.of[i] ?? 0) >= 2;
    return {
      k: i + 1,
      pass_at: withInterval(at, enough ? resampled.at[i] : undefined),
      pass_all: withInterval(observed.all[i] ?? 0, enough ? resampled.all[i] : undefined),
    };
  });
}

/** Means of pass@k and pass^k for each k, for any number of evaluations per outcome. */
class MeansByK {
  readonly at: Float64Array;
  readonly all: Float64Array;
  /** How many evaluations each mean is over. */
  readonly of: Float64Array;
  readonly #groups: readonly {
    readonly n: number;
    readonly noPass: Float64Array;
    readonly allPass: Float64Array;
  }[];

  constructor(groups: readonly TrialOutcome[]) {
    const largest = groups.reduce((most, group) => Math.max(most, group.n), 0);
    this.at = new Float64Array(largest);
    this.all = new Float64Array(largest);
    this.of = new Float64Array(largest);
    this.#groups = groups.map(({ n, c }) => ({
      n,
      noPass: drawnWithoutMiss(n, n - c),
      allPass: drawnWithoutMiss(n, c),
    }));
  }

  /** `counts` are evaluations per group; a mean over none is NaN. */
  update(counts: ArrayLike<number>): void {
    const { at, all, of } = this;
    // Until the end `at` holds the opposite, k trials without any pass: only sums of products are needed.
    at.fill(0);
    all.fill(0);
    of.fill(0);
    this.#groups.forEach(({ n, noPass, allPass }, group) => {
      const count = counts[group] ?? 0;
      if (count === 0) return;
      addTo(at, noPass, count);
      addTo(all, allPass, count);
      of[n - 1] = (of[n - 1] ?? 0) + count;
    });
    let reached = 0;
    for (let i = of.length - 1; i >= 0; i -= 1) {
      reached += of[i] ?? 0;
      of[i] = reached;
      at[i] = (reached - (at[i] ?? 0)) / reached;
      all[i] = (all[i] ?? 0) / reached;
    }
  }
}

function addTo(sums: Float64Array, values: Float64Array, times: number): void {
  for (let i = 0; i < values.length; i += 1) {
    sums[i] = (sums[i] ?? 0) + times * (values[i] ?? 0);
  }
}

/** For each k the means of every resample; one resample serves all k. */
function resample(means: MeansByK, counts: readonly number[]) {
  const random = seededRandom(seed);
  const at = Array.from(means.at, () => new Float64Array(bootstrapResamples));
  const all = Array.from(means.all, () => new Float64Array(bootstrapResamples));
  const drawn = new Float64Array(counts.length);
  for (let draw = 0; draw < bootstrapResamples; draw += 1) {
    drawCounts(random, counts, drawn);
    means.update(drawn);
    at.forEach((values, i) => {
      values[draw] = means.at[i] ?? Number.NaN;
    });
    all.forEach((values, i) => {
      values[draw] = means.all[i] ?? Number.NaN;
    });
  }
  return { at, all };
}

function withInterval(estimate: number, values: Float64Array | undefined): Estimate {
  // Resamples in which no evaluation reaches k have no mean.
  const sorted = values?.filter((value) => !Number.isNaN(value)).sort();
  if (sorted === undefined) return { estimate, low: null, high: null };
  return { estimate, low: percentile(sorted, 0.025), high: percentile(sorted, 0.975) };
}
