import type { Estimate } from './bounds.js';
import { sumOf } from './sums.js';
import { wilsonBounds, wilsonInterval } from './wilson-interval.js';

/**
 * The rate passed / counted over clusters (all trials of a case) with its 95 % interval; `null` when nothing counts.
 * How many results of a cluster count (1 or more), and how many of these passed, stand at one position of both lists.
 * Wilson's interval where each counts once. Results of one cluster are alike: otherwise it is Wilson's for the
 * effective size, that is for the number of independent results whose rate varies as much (Rao and Scott 1992, "A
 * Simple Method for the Analysis of Clustered Binary Data", Biometrics 48, 577–585); see `effectiveSize`.
 */
export function clusteredRate(
  passed: ArrayLike<number>,
  counted: ArrayLike<number>,
): Estimate | null {
  const size = sumOf(counted);
  if (size === 0) return null;
  const clusters = counted.length;
  const passes = sumOf(passed);
  if (size === clusters) return wilsonInterval(passes, size);
  const rate = passes / size;
  let squares = 0;
  let somePassed = 0;
  let someFailed = 0;
  for (let i = 0; i < clusters; i += 1) {
    const [own, of] = [passed[i] ?? 0, counted[i] ?? 0];
    squares += (own - rate * of) ** 2;
    if (own > 0) somePassed += 1;
    if (own < of) someFailed += 1;
  }
  const variance = ((clusters / (clusters - 1)) * squares) / size ** 2;
  const mixed = Math.min(somePassed, someFailed);
  return withBounds(rate, effectiveSize({ rate, variance, clusters, size, mixed }));
}

/** How many clusters have the same share. */
export interface SharedBy {
  /** From 0 to 1. */
  readonly share: number;
  readonly clusters: number;
}

/**
 * The mean of the shares of clusters, each weighing the same, with its 95 % interval; `null` without clusters. `size`
 * is how many independent results all of them are at most: as many as there are clusters where each share is 0 or 1.
 * The interval is made as for `clusteredRate`.
 */
export function averageShare(shares: readonly SharedBy[], size: number): Estimate | null {
  const clusters = shares.reduce((sum, one) => sum + one.clusters, 0);
  if (clusters === 0) return null;
  const rate = shares.reduce((sum, one) => sum + one.share * one.clusters, 0) / clusters;
  if (size === clusters) return withBounds(rate, clusters);
  const count = (isSo: (share: number) => boolean) =>
    shares.reduce((sum, one) => (isSo(one.share) ? sum + one.clusters : sum), 0);
  const mixed = Math.min(
    count((share) => share > 0),
    count((share) => share < 1),
  );
  const squares = shares.reduce((sum, one) => sum + one.clusters * (one.share - rate) ** 2, 0);
  const variance = squares / (clusters - 1) / clusters;
  return withBounds(rate, effectiveSize({ rate, variance, clusters, size, mixed }));
}

interface ClusteredRate {
  readonly rate: number;
  /** Of the rate, by how much clusters differ. */
  readonly variance: number;
  readonly clusters: number;
  readonly size: number;
  /** How many clusters have results of the rarer kind. */
  readonly mixed: number;
}

/**
 * p(1 − p) / variance, at most `size`. Few clusters with results of the rarer kind say little about how alike results
 * of one cluster are: as half a cluster more, full likeness counts, which makes the effective size that of the clusters.
 */
function effectiveSize({ rate, variance, clusters, size, mixed }: ClusteredRate): number {
  const spread = rate * (1 - rate);
  if (clusters < 2 || spread === 0) return clusters;
  const observed = variance / spread;
  const weight = 0.5 / (0.5 + mixed);
  const blended = (1 - weight) * observed + weight * Math.max(observed, 1 / clusters);
  return Math.min(size, 1 / blended);
}

function withBounds(rate: number, size: number): Estimate {
  return { estimate: rate, ...wilsonBounds(rate * size, size) };
}
