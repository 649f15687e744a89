import type { EvaluationCode } from '../../src/model/code/evaluation-code.js';
import { differingPieces } from '../../src/runner/changes/decide-row.js';

/** What a change of the code makes of a finished row, with the reasons. */
export function decide(before: EvaluationCode, after: EvaluationCode): string {
  if (after.hazard !== undefined) return `run: ${after.hazard}`;
  const target = differingPieces(before.target, after.target);
  if (target.length > 0) return `run: ${target.join(', ')}`;
  const grading = differingPieces(before.grading, after.grading);
  if (grading.length === 0) return 'carry';
  const verb = before.isClosed && after.isClosed ? 'regrade' : 'run';
  return `${verb}: ${grading.join(', ')}`;
}
