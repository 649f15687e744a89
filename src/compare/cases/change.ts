import { roundingTolerance } from '../../statistics/rounding-tolerance.js';
import {
  type CaseScore,
  type EvalCase,
  meanValueOf,
  scoreOf,
  valuesOf,
  verdictsOf,
} from './eval-case.js';
import { judgedAlike } from './lost-scores.js';

/** The possible changes of a case from one run to another. */
export const changes = [
  'regressed',
  'fixed',
  'changed',
  'same',
  'only_base',
  'only_other',
  'not_paired',
] as const;
export type Change = (typeof changes)[number];

/** The number of cases per change. */
export type ChangeCounts = Readonly<Record<Change, number>>;

/** Counts changes, ignoring `null`. */
export function countChanges(of: Iterable<Change | null>): ChangeCounts {
  const counts = Object.fromEntries(changes.map((change) => [change, 0])) as Record<Change, number>;
  for (const change of of) if (change !== null) counts[change] += 1;
  return counts;
}

/** The number of cases with a finished trial in both runs. */
export function pairedCases({ regressed, fixed, changed, same }: ChangeCounts): number {
  return regressed + fixed + changed + same;
}

/**
 * Classifies the change of a case. Regressed, fixed: a smaller or larger share of its judged trials passed, under the
 * scores that both runs have if the other run has lost some.
 * Changed: the same share, but other outputs or scores, or a verdict in one run only. Not paired: in both runs, but
 * with no finished trial in one of them. Says nothing about chance.
 */
export function changeOf(base: EvalCase | undefined, other: EvalCase | undefined): Change {
  if (other === undefined) return 'only_base';
  if (base === undefined) return 'only_other';
  if (base.trials === 0 || other.trials === 0) return 'not_paired';
  const { base: before, other: after } = judgedAlike(base, other) ?? { base, other };
  if (before.judged > 0 && after.judged > 0) {
    // Cross-multiplied in whole numbers: 1/3 equals 2/6.
    const gained = after.passes * before.judged - before.passes * after.judged;
    if (gained !== 0) return gained < 0 ? 'regressed' : 'fixed';
  } else if (base.judged !== other.judged) return 'changed';
  if (isOtherOutput(base.outputHash, other.outputHash)) return 'changed';
  return movedScores(base, other).length > 0 ? 'changed' : 'same';
}

/** True when all judged trials passed and not all do now, or when some passed and none does now. */
export function isNewFailure(base: EvalCase, other: EvalCase): boolean {
  if (base.passes === 0 || other.judged === 0) return false;
  return other.passes === 0 || (base.passes === base.judged && other.passes < other.judged);
}

function isOtherOutput(base: string | null, other: string | null): boolean {
  return base !== null && other !== null && base !== other;
}

/** The keys of the scores of a case that differ between two runs, in verdicts or values, or are in one of them only. */
export function movedScores(base: EvalCase, other: EvalCase): string[] {
  if (base.scores === other.scores) return [];
  const added = other.scores.filter(({ key }) => scoreOf(base, key) === undefined);
  return [
    ...base.scores.filter((score) => !isSame(score, scoreOf(other, score.key))),
    ...added,
  ].map(({ key }) => key);
}

function isSame(one: CaseScore, two: CaseScore | undefined): boolean {
  if (two === undefined) return false;
  return one === two || (hasSameVerdicts(one, two) && hasSameValues(one, two));
}

function hasSameVerdicts(one: CaseScore, two: CaseScore): boolean {
  const [first, second] = [verdictsOf(one), verdictsOf(two)];
  if (first === undefined || second === undefined) {
    // Older baseline files do not keep the verdicts of thresholds.
    return first === second || (one.kind === 'value' && two.kind === 'value');
  }
  return first.passes * second.of === second.passes * first.of;
}

/** Equal values, in any order; with different numbers of trials, or where only sums are known, equal means. */
function hasSameValues(one: CaseScore, two: CaseScore): boolean {
  const [first, second] = [valuesOf(one), valuesOf(two)];
  if (first && second && first.length === second.length) {
    const [before, after] = [first, second].map((values) => values.toSorted((a, b) => a - b));
    return before?.every((value, at) => value === after?.[at]) === true;
  }
  const [was, is] = [meanValueOf(one), meanValueOf(two)];
  if (was === null || is === null) return was === is;
  return Math.abs(was - is) <= roundingTolerance([was], [is]);
}
