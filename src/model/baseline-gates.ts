import { judgeMissing, judgeNewFailures } from './compare/change-gates.js';
import type { Comparison } from './compare/compare-units.js';
import { judgeRegression } from './compare/regression-gate.js';
import type { BaselineGate, GateVerdict } from './gates.js';

/** Holds a gate against the comparison of a run with its baseline. */
export function judgeBaselineGate(gate: BaselineGate, comparison: Comparison): GateVerdict {
  switch (gate) {
    case 'regression':
      return judgeRegression(comparison);
    case 'new-failures':
      return judgeNewFailures(comparison);
    default:
      return judgeMissing(comparison);
  }
}
