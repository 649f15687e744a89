import { roundingTolerance } from '../../statistics/rounding-tolerance.js';
import {
  type CaseScore,
  type EvalCase,
  meanValueOf,
  scoreOf,
  valuesOf,
  verdictsOf,
} from './eval-case.js';

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
