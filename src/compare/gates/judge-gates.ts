import type { GateVerdict } from '../../model/gates/gate-verdict.js';
import type { BaselineGate } from '../../model/gates/judge-gate.js';
import { carriedText } from '../../text/carried-text.js';
import { pairedCases } from '../cases/change.js';
import type { Comparison, ComparisonSummary } from '../compare-cases.js';
import {
  judgeMissing,
  judgeNewFailures,
  type MissingVerdict,
  type NewFailuresVerdict,
} from './judge-changes.js';
import { judgeRegression, type RegressionVerdict } from './judge-regression.js';

/** The verdicts of all gates on a comparison. Lists of cases are cut; their lengths are not. */
export interface Gates {
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
): Gates {
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
