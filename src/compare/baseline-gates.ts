import type { BaselineGate, GateVerdict } from '../model/gates.js';
import { judgeMissing, judgeNewFailures } from './change-gates.js';
import type { Comparison } from './compare-cases.js';
import { judgeRegression } from './regression-gate.js';

/** Judges the comparison of a run with its baseline by one gate. */
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
