import type { BaselineGate, GateVerdict } from '../model/gates.js';
import { judgeMissing, judgeNewFailures } from './change-gates.js';
import type { Comparison } from './compare-cases.js';
import { judgeRegression } from './regression-gate.js';

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
