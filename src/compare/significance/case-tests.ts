import { fisherTails, type Passes } from '../../statistics/fisher-exact.js';
import { holm } from '../../statistics/holm.js';
import { type Tails, twoSidedP } from '../../statistics/tails.js';
import {
  alikePairs,
  type CasePair,
  type FullPair,
  isFullPair,
  testedPairs,
} from '../cases/pair-cases.js';
import { chanceLevel } from '../differences/paired-difference.js';

/** The test of one case with trials in both runs: does it pass less or more often than before? Plain JSON. */
export interface CaseTest {
  readonly id: string;
  /** Passed and judged trials. */
  readonly base: Passes;
  readonly other: Passes;
  /** Fisher's exact test, two-sided. */
  readonly p_value: number;
  /** The probability that chance alone makes the other run pass at most this often. */
  readonly p_lower: number;
  /** The two-sided p-value with Holm's correction over all tested cases. */
  readonly adjusted_p_value: number;
  /** The adjusted p-value is below 0.05. */
  readonly beyond_chance: boolean;
  readonly direction: 'worse' | 'better' | 'same';
}

/**
 * Tests every case with at least two judged trials in both runs: see `fisherTails` and `holm`. A single result says
 * nothing about chance, so cases without trials are not tested.
 */
export function testCases(pairs: readonly CasePair[]): CaseTest[] {
  const tested = alikePairs(testedPairs(pairs.filter(isFullPair))).filter(hasTrials);
  const tailsOf = rememberedFisher();
  const tails = tested.map(tailsOf);
  const pValues = tails.map(twoSidedP);
  const adjusted = holm(pValues);
  return tested.map((pair, i) => {
    const p = adjusted[i] ?? 1;
    return {
      id: pair.id,
      base: { passes: pair.base.passes, of: pair.base.judged },
      other: { passes: pair.other.passes, of: pair.other.judged },
      p_value: pValues[i] ?? 1,
      p_lower: tails[i]?.lower ?? 1,
      adjusted_p_value: p,
      beyond_chance: p < chanceLevel,
      direction: directionOf(pair),
    };
  });
}

function hasTrials({ base, other }: FullPair): boolean {
  return base.judged >= 2 && other.judged >= 2;
}

function directionOf({ base, other }: FullPair): CaseTest['direction'] {
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
