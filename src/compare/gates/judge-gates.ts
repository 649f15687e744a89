import type { GateVerdict } from '../../model/gates/gate-verdict.js';
import type { BaselineGate } from '../../model/gates/judge-gate.js';
import { carriedText } from '../../text/carried-text.js';
import { isNewFailure, pairedCases } from '../cases/change.js';
import { lostTexts } from '../cases/lost-text.js';
import { alikePairs, type FullPair, isFullPair, testedPairs } from '../cases/pair-cases.js';
import type { Comparison, ComparisonSummary } from '../compare-cases.js';
import {
  cannotCompare,
  judgeRegression,
  listOf,
  type RegressionVerdict,
} from './judge-regression.js';

/** The verdicts of all gates on a comparison. Lists of cases are cut; their lengths are not. */
export interface GateVerdicts {
  readonly regression: RegressionVerdict & { readonly worse_units_total: number };
  readonly new_failures: NewFailuresVerdict & { readonly failed_total: number };
  readonly missing: MissingVerdict & {
    readonly gone_total: number;
    readonly unfinished_total: number;
    readonly lost_total: number;
  };
}

/** Longest list of cases in a verdict. */
export const mostNamedCases = 100;

/**
 * Judges a comparison by all gates that need a base; `regression` is the verdict of `judgeRegression`, if already
 * known.
 */
export function judgeGates(
  comparison: Comparison,
  regression: RegressionVerdict = judgeRegression(comparison),
): GateVerdicts {
  const newFailures = judgeNewFailures(comparison);
  const missing = judgeMissing(comparison);
  return {
    regression: {
      ...regression,
      worse_units: cut(regression.worse_units),
      worse_units_total: regression.worse_units.length,
    },
    new_failures: {
      ...newFailures,
      failed: cut(newFailures.failed),
      failed_total: newFailures.failed.length,
    },
    missing: {
      ...missing,
      gone: cut(missing.gone),
      gone_total: missing.gone.length,
      unfinished: cut(missing.unfinished),
      unfinished_total: missing.unfinished.length,
      lost: cut(missing.lost),
      lost_total: missing.lost.length,
    },
  };
}

function cut<T>(list: readonly T[]): readonly T[] {
  return list.slice(0, mostNamedCases);
}

/** Judges the comparison of a run with its baseline by one gate. */
export function judgeBaselineGate(gate: BaselineGate, comparison: Comparison): GateVerdict {
  switch (gate) {
    case 'regression':
      return withCarried(judgeRegression(comparison), comparison.summary);
    case 'new-failures':
      return judgeNewFailures(comparison);
    default:
      return judgeMissing(comparison);
  }
}

/** The verdict with the number of pairs that it is not about. */
function withCarried(
  { verdict, text }: GateVerdict,
  { carried, changes }: ComparisonSummary,
): GateVerdict {
  const note = carriedText(carried, pairedCases(changes));
  return { verdict, text: note === undefined ? text : `${text}; ${note}` };
}

/** Verdict of the gate against new failures. */
interface NewFailuresVerdict extends GateVerdict {
  /** Ids of cases that passed and fail now, in the order of the base. */
  readonly failed: readonly string[];
}

/**
 * Fails when a case that passed fails now, by chance or not: see `isNewFailure`. Ignores cases that only one run
 * has. The verdict is unknown when no case is in both runs.
 */
export function judgeNewFailures({ pairs }: Comparison): NewFailuresVerdict {
  const full = alikePairs(pairs.filter(isFullPair));
  if (full.length === 0) return { ...cannotCompare, failed: [] };
  const failures = full.filter(({ base, other }) => isNewFailure(base, other));
  const failed = failures.map(({ id }) => id);
  return failed.length === 0
    ? { verdict: 'yes', text: 'nothing that passed fails now', failed }
    : {
        verdict: 'no',
        text: `passed before and fails now: ${listOf(failures.map(failureText))}`,
        failed,
      };
}

/** Marks errors, because they may be the fault of a provider. */
function failureText({ id, other }: FullPair): string {
  const notPassed = other.judged - other.passes;
  return other.errors !== undefined && other.errors >= notPassed ? `${id} (error)` : id;
}

/** Verdict of the gate against what is missing. */
interface MissingVerdict extends GateVerdict {
  /** Ids of cases that are in the base but not in the other run. */
  readonly gone: readonly string[];
  /** Ids of cases that finished in the base, but have no finished trial in the other run. */
  readonly unfinished: readonly string[];
  /** Ids of cases of which a smaller part has a verdict, or a score, than in the base. */
  readonly lost: readonly string[];
}

/**
 * Fails when a case that finished in the base is gone or unfinished, or has lost its verdict or a score. New cases are
 * ignored.
 */
export function judgeMissing({ pairs, summary }: Comparison): MissingVerdict {
  const finished = pairs.filter(({ base }) => base !== undefined && base.trials > 0);
  const gone = finished.filter(({ other }) => other === undefined).map(({ id }) => id);
  const unfinished = finished.filter(({ other }) => other?.trials === 0).map(({ id }) => id);
  const lost = testedPairs(finished.filter(isFullPair)).flatMap((pair) =>
    pair.lost === undefined ? [] : [pair.id],
  );
  const parts = [
    ...(gone.length > 0 ? [`gone: ${listOf(gone)}`] : []),
    ...(unfinished.length > 0 ? [`not finished: ${listOf(unfinished)}`] : []),
    ...(lost.length > 0 ? [`${lostTexts(summary.lost).join(', ')}: ${listOf(lost)}`] : []),
  ];
  return parts.length === 0
    ? { verdict: 'yes', text: 'nothing of the baseline is missing', gone, unfinished, lost }
    : { verdict: 'no', text: parts.join('; '), gone, unfinished, lost };
}
