import { fisherTails, type Passes } from '../statistics/fisher-exact.js';
import { holm } from '../statistics/holm.js';
import { type Tails, twoSidedP } from '../statistics/tails.js';
import { type CasePair, type FullPair, isFullPair } from './pair-cases.js';
import { chanceLevel } from './paired-difference.js';

/** Whether one case with trials in both runs passes less or more often than before: plain JSON. */
export interface CaseTest {
  readonly id: string;
  /** Passed of judged trials. */
  readonly base: Passes;
  readonly other: Passes;
  /** Fisher's exact test, two-sided. */
  readonly p_value: number;
  /** That chance alone makes the other run pass so rarely, or more rarely. */
  readonly p_lower: number;
  /** The two-sided one by Holm, over all cases tested. */
  readonly adjusted_p_value: number;
  /** The adjusted p-value is below 0.05. */
  readonly beyond_chance: boolean;
  readonly direction: 'worse' | 'better' | 'same';
}

/**
 * Tests every case with two judged trials or more in both runs: see `fisherTails` and `holm`. A case without trials
 * is never tested: one result says nothing about chance.
 */
export function testCases(pairs: readonly CasePair[]): CaseTest[] {
  const tested = pairs.filter(isFullPair).filter(hasTrials);
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

/** Many cases have the same few counts. */
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
