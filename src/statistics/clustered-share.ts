import type { Estimate } from './bounds.js';
import { sumOf } from './sums.js';
import { wilsonBounds, wilsonInterval } from './wilson-interval.js';

/**
 * The rate passed / counted over clusters (all trials of a case, or of the cases of a cluster) with its 95 % interval; `null` when nothing
 * counts. Both lists have one entry per cluster: how many of its results passed, and how many count (1 or more). If
 * each cluster counts once, the interval is Wilson's. Otherwise, because results of one cluster are alike, it is
 * Wilson's for the effective size: the number of independent results whose rate varies as much (Rao and Scott 1992,
 * "A Simple Method for the Analysis of Clustered Binary Data", Biometrics 48, 577–585). See `effectiveSize` and
 * `withBounds`. `most` returns the upper limit of the effective size; default: that all results are independent.
 */
export function clusteredRate(
  passed: ArrayLike<number>,
  counted: ArrayLike<number>,
  most?: (rate: number) => number,
): Estimate | null {
  const size = sumOf(counted);
  if (size === 0) return null;
  const passes = sumOf(passed);
  if (size === counted.length) return wilsonInterval(passes, size);
  return withBounds(passes / size, clusteredSize(passed, counted, most));
}

/**
 * How many independent results would have a rate that varies as much as the one of these clusters; arguments as for
 * {@link clusteredRate}.
 */
export function clusteredSize(
  passed: ArrayLike<number>,
  counted: ArrayLike<number>,
  most?: (rate: number) => number,
): number {
  const size = sumOf(counted);
  const clusters = counted.length;
  if (size === clusters) return size;
  const rate = sumOf(passed) / size;
  const carriers = new Carriers();
  let squares = 0;
  for (let i = 0; i < clusters; i += 1) {
    const [own, of] = [passed[i] ?? 0, counted[i] ?? 0];
    squares += (own - rate * of) ** 2;
    carriers.add(rate > 0.5 ? of - own : own);
  }
  const variance = ((clusters / (clusters - 1)) * squares) / size ** 2;
  const limit = most ?? (() => size);
  return effectiveSize({ rate, variance, clusters, carriers, most: limit });
}

/** The number of clusters with the same share. */
export interface SharedBy {
  /** From 0 to 1. */
  readonly share: number;
  readonly clusters: number;
}

/**
 * The mean of the shares of clusters, with equal weights, and its 95 % interval, computed as for `clusteredRate`;
 * `null` without clusters. `most` returns the upper limit of the effective size (at least the number of clusters)
 * for a mean above 0 and below 1; omit it if each cluster is one result, with share 0 or 1.
 */
export function averageShare(
  shares: readonly SharedBy[],
  most?: (rate: number) => number,
): Estimate | null {
  const clusters = shares.reduce((sum, one) => sum + one.clusters, 0);
  if (clusters === 0) return null;
  const rate = shares.reduce((sum, one) => sum + one.share * one.clusters, 0) / clusters;
  if (most === undefined) return withBounds(rate, clusters);
  const carriers = new Carriers();
  let squares = 0;
  for (const { share, clusters: times } of shares) {
    squares += times * (share - rate) ** 2;
    carriers.add(rate > 0.5 ? 1 - share : share, times);
  }
  const variance = squares / (clusters - 1) / clusters;
  return withBounds(rate, effectiveSize({ rate, variance, clusters, carriers, most }));
}

/**
 * The number of clusters that have the rarer outcome, where a cluster with less of it counts less: (Σ y)² / Σ y²,
 * with y the amount in each (Kish 1965, Survey Sampling, section 11.7).
 */
class Carriers {
  #sum = 0;
  #squares = 0;

  add(amount: number, times = 1): void {
    this.#sum += amount * times;
    this.#squares += amount ** 2 * times;
  }

  get count(): number {
    return this.#squares === 0 ? 0 : this.#sum ** 2 / this.#squares;
  }
}

interface ClusteredRate {
  readonly rate: number;
  /** Of the rate, from the differences between clusters. */
  readonly variance: number;
  readonly clusters: number;
  readonly carriers: Carriers;
  readonly most: (rate: number) => number;
}

/** The weight, in clusters, of the assumption that all results of a cluster are alike. */
const likeness = 0.6;

/**
 * p(1 − p) / variance, at most `most`. Few clusters with the rarer outcome say little about how alike the results
 * of one cluster are, so the estimate is blended with 0.6 clusters whose results are all alike. That pulls the
 * effective size toward the number of clusters.
 */
function effectiveSize({ rate, variance, clusters, carriers, most }: ClusteredRate): number {
  const spread = rate * (1 - rate);
  if (clusters < 2 || spread === 0) return clusters;
  const observed = variance / spread;
  const weight = likeness / (likeness + carriers.count);
  const blended = (1 - weight) * observed + weight * Math.max(observed, 1 / clusters);
  const found = 1 / blended;
  return found > clusters ? Math.min(most(rate), found) : found;
}

/** The expected count at which 5 % of samples contain a rare result: −ln 0.95. */
const rarelyOne = -Math.log(0.95);

/**
 * Wilson's bounds. With fewer than 1.5 results of one kind, the bound on their side is that of a Poisson variable,
 * because Wilson's is too far from 0 or 1 there (Brown, Cai and DasGupta 2001, "Interval Estimation for a Binomial
 * Proportion", Statistical Science 16, 101–133, section 4.1.1).
 */
function withBounds(rate: number, size: number): Estimate {
  const { low, high } = wilsonBounds(rate * size, size);
  return {
    estimate: rate,
    low: rate * size < 1.5 ? rarelyOne * rate : low,
    high: (1 - rate) * size < 1.5 ? 1 - rarelyOne * (1 - rate) : high,
  };
}
