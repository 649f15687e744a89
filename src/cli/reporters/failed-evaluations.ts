import { caseIdOf, isFinished, passes } from '../../model/result.js';
import { standingOf } from '../../model/scores/verdict.js';
import type { Row } from '../../store/replay/run-index.js';
import type { ReportedOutcome } from './reporter.js';

/** A case with failed trials. */
export interface FailedEvaluation {
  readonly id: string;
  readonly name: string;
  /** Row of the first trial that failed. */
  readonly index: number;
  /** Finished trials, and those that passed. */
  readonly trials: number;
  readonly passed: number;
  readonly hasRegressed: boolean;
}

/** Failed evaluations: regressed ones first, then in the order of the run. */
export function failedEvaluations({ run, comparison }: ReportedOutcome): FailedEvaluation[] {
  const found = new Map<string, { name: string; index?: number; trials: number; passed: number }>();
  run.rows.forEach((row, index) => {
    if (!isFinished(row) || row.pruned === true) return;
    const id = caseIdOf(row);
    const known = found.get(id) ?? { name: row.function, trials: 0, passed: 0 };
    known.trials += 1;
    if (passes(row)) known.passed += 1;
    if (hasFailed(row)) known.index ??= index;
    found.set(id, known);
  });
  const rank = new Map((comparison?.regressed ?? []).map((id, at) => [id, at]));
  return [...found]
    .flatMap(([id, { name, index, trials, passed }]) =>
      index === undefined ? [] : [{ id, name, index, trials, passed, hasRegressed: rank.has(id) }],
    )
    .sort((a, b) => (rank.get(a.id) ?? rank.size) - (rank.get(b.id) ?? rank.size));
}

function hasFailed(row: Row): boolean {
  const standing = standingOf(row);
  return standing === 'failed' || standing === 'error';
}
