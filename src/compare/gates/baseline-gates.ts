import type { BaselineGate, GateVerdict } from '../../model/gates/judge-gate.js';
import type { Comparison } from '../compare-cases.js';
import { judgeMissing, judgeNewFailures } from './judge-changes.js';
import { judgeRegression } from './judge-regression.js';

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
