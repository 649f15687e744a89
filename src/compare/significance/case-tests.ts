import { fisherTails, type Passes } from '../../statistics/fisher-exact.js';
import type { Tails } from '../../statistics/tails.js';
import {
  alikePairs,
  type CasePair,
  clusterOf,
  type FullPair,
  isFullPair,
  testedPairs,
} from '../cases/pair-cases.js';
import { type FamilyTest, judgeFamily, type SingleTest, singleTest, undecided } from './family.js';

/** The test of one case with trials in both runs: does it pass less or more often than before? Plain JSON. */
export interface CaseTest extends SingleTest, FamilyTest {
  readonly id: string;
  /** Passed and judged trials. */
  readonly base: Passes;
  readonly other: Passes;
  readonly direction: 'worse' | 'better' | 'same';
}

/**
 * Tests every case with at least two judged trials in both runs, as one family: see `fisherTails` and `judgeFamily`. A
 * single result says nothing about chance, so cases without trials are not tested; neither are those that share a cluster:
 * what they have in common may differ from run to run, so their trials are not independent.
 */
export function testCases(pairs: readonly CasePair[]): CaseTest[] {
  return testCasesOf([pairs.filter(isFullPair)]).flat();
}

/** The same for several comparisons, whose cases are all one family. */
export function testCasesOf(comparisons: readonly (readonly FullPair[])[]): CaseTest[][] {
  const tailsOf = rememberedFisher();
  const tested = comparisons.map((pairs) =>
    testablePairs(pairs).map((pair) => ({ pair, test: singleTest(tailsOf(pair)) })),
  );
  const judged = judgeFamily(tested.flatMap((tests) => tests.map(({ test }) => test))).values();
  return tested.map((tests) =>
    tests.map(({ pair: { id, base, other }, test }) => ({
      id,
      base: { passes: base.passes, of: base.judged },
      other: { passes: other.passes, of: other.judged },
      ...test,
      ...(judged.next().value ?? undecided),
      direction: directionOf({ base, other }),
    })),
  );
}

function testablePairs(pairs: readonly FullPair[]): readonly FullPair[] {
  const full = testedPairs(pairs);
  const sharesCluster = clusterSharing(full);
  return alikePairs(full).filter((pair) => hasTrials(pair) && !sharesCluster(pair));
}

function hasTrials({ base, other }: FullPair): boolean {
  return base.judged >= 2 && other.judged >= 2;
}

/** The number of cases that have trials, but no test of their own because they share a cluster. */
export function countClustered(pairs: readonly CasePair[]): number {
  const full = testedPairs(pairs.filter(isFullPair));
  const sharesCluster = clusterSharing(full);
  return full.filter((pair) => hasTrials(pair) && sharesCluster(pair)).length;
}

function clusterSharing(pairs: readonly FullPair[]): (pair: FullPair) => boolean {
  const counts = new Map<string, number>();
  const clusters = pairs.flatMap((pair) => clusterOf(pair) ?? []);
  for (const cluster of clusters) counts.set(cluster, (counts.get(cluster) ?? 0) + 1);
  return (pair) => (counts.get(clusterOf(pair) ?? '') ?? 0) > 1;
}

function directionOf({ base, other }: Pick<FullPair, 'base' | 'other'>): CaseTest['direction'] {
  const gained = other.passes * base.judged - base.passes * other.judged;
  if (gained === 0) return 'same';
  return gained < 0 ? 'worse' : 'better';
}

/** `fisherTails` with a cache: many cases have the same few counts. */
function rememberedFisher(): (pair: FullPair) => Tails {
  const known = new Map<string, Tails>();
  return ({ base, other }) => {
    const counts = `${base.passes}/${base.judged} ${other.passes}/${other.judged}`;
    let tails = known.get(counts);
    if (tails === undefined) {
      tails = fisherTails(
        { passes: base.passes, of: base.judged },
        { passes: other.passes, of: other.judged },
      );
      known.set(counts, tails);
    }
    return tails;
  };
}
