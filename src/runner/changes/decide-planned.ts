import { caseIdOf } from '../../model/result.js';
import type { Descriptor } from '../../protocol/messages.js';
import type { ResolvedRunConfig } from '../../settings/resolve-run-config.js';
import type { PlannedRow } from '../../store/run-owner.js';
import { scoreRulesOf } from '../execution/score-rules-of.js';
import type { Executor } from '../executor.js';
import { describeRows, type PlannedTrial } from '../planning/plan-rows.js';
import type { RunnerDependencies } from '../runner-dependencies.js';
import { fingerprintOf, paramsHash } from './case-fingerprint.js';
import { type Changes, type ChangesOptions, decideAll } from './decide-all.js';
import type { PlannedRowToday } from './decide-row.js';

/** Rows that are planned with the evaluations of today. */
export interface RowsOfToday {
  readonly rows: readonly PlannedTrial[];
  readonly descriptors: readonly Descriptor[];
  readonly config: ResolvedRunConfig;
  /** Called with the plan of each row, in order. */
  readonly onPlan?: (plan: PlannedRow) => void;
}

/** Decides about rows without saving their plan. The bases stay open until `close`. */
export async function decidePlanned(
  runner: RunnerDependencies,
  executor: Executor,
  { rows, descriptors, config, onPlan }: RowsOfToday,
  options: Omit<ChangesOptions, 'finding' | 'params'>,
): Promise<Changes> {
  const finding = executor.fingerprint?.() ?? Promise.resolve([]);
  const today: PlannedRowToday[] = [];
  const toPlan = {
    ids: [...new Set(rows.map(caseIdOf))],
    rows,
    rulesOf: scoreRulesOf(descriptors, config.scoreRules),
    fingerprintOf: fingerprintOf(descriptors, config),
    onPlan,
  };
  await describeRows(executor, toPlan, (plans) => {
    for (const { id, evaluation, fingerprint } of plans)
      today.push({ id, evaluation, fingerprint });
  });
  return decideAll(runner, today, { ...options, finding, params: paramsHash(config) });
}
