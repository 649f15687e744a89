import { holm } from '../../statistics/holm.js';
import { type Tails, twoSidedP } from '../../statistics/tails.js';
import { canBeFound, testsAmong } from '../../statistics/tarone.js';
import { chanceLevel } from '../../text/chance-text.js';

/** A test by itself; plain JSON. */
export interface SingleTest {
  /** Two-sided: twice the smaller tail, at most 1. `null` if there is no test. */
  readonly p: number | null;
  /** That chance alone makes the other run as low, or lower; and as high, or higher. */
  readonly p_lower: number | null;
  readonly p_higher: number | null;
  /** The smallest of both tails that any outcome of the same data has. */
  readonly p_attainable: number | null;
}

/** A test as one of a family; plain JSON. */
export interface FamilyTest {
  /**
   * Holm's correction within the tests of the family that its data can decide; `null` if it is none of them: too
   * little data.
   */
  readonly p_adjusted: number | null;
  /** For how many tests `p_adjusted` is corrected; `null` like it. */
  readonly among: number | null;
  /** The adjusted p-value is below 0.05. */
  readonly beyond_chance: boolean;
}

/** The p-values of these tails; `null` without a test. */
export function singleTest(tails: Tails | undefined): SingleTest {
  if (tails === undefined) return untested;
  const { lower, higher, attainable } = tails;
  return { p: twoSidedP(tails), p_lower: lower, p_higher: higher, p_attainable: attainable };
}

/** Of a measure without a test. */
export const untested: SingleTest = { p: null, p_lower: null, p_higher: null, p_attainable: null };

/** Of a test that belongs to no family, and of one with too little data. */
export const undecided: FamilyTest = { p_adjusted: null, among: null, beyond_chance: false };

/**
 * Judges the tests of a family, in the given order: Holm's correction within the tests that could be beyond chance at
 * all, whatever the outcome (see `testsAmong`). The others are left out, so that they cost the rest nothing.
 */
export function judgeFamily(
  tests: readonly Pick<SingleTest, 'p' | 'p_attainable'>[],
): readonly FamilyTest[] {
  const among = testsAmong(tests.flatMap(({ p_attainable: attainable }) => attainable ?? []));
  const decided = tests.map(({ p, p_attainable: attainable }) =>
    attainable !== null && canBeFound(attainable, among) ? p : null,
  );
  const adjusted = holm(
    decided.filter((p) => p !== null),
    among,
  ).values();
  return decided.map((p) => {
    if (p === null) return undecided;
    const adjustedP = adjusted.next().value ?? 1;
    return { p_adjusted: adjustedP, among, beyond_chance: adjustedP < chanceLevel };
  });
}
