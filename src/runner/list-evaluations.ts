import type { Shard } from '../model/shard.js';
import { type Discovery, discover } from './discovery/discover.js';
import { type PlannedTrial, planRows } from './planning/plan-rows.js';
import { takeShard } from './planning/take-shard.js';
import { createExecutor, type RunnerDependencies } from './runner-dependencies.js';
import type { StartRunOptions } from './start-run.js';

/** The evaluations that would run. */
export interface EvaluationList extends Discovery {
  readonly rows: readonly PlannedTrial[];
  /** Present if they are a part of a run. */
  readonly shard?: Shard;
}

/** Discovers and plans like {@link startRun}, without running anything. */
export async function listEvaluations(
  runner: RunnerDependencies,
  options: StartRunOptions,
): Promise<EvaluationList> {
  const executor = createExecutor(runner, options);
  try {
    const discovery = await discover(runner, options.request, executor);
    const { evaluations, shard } = takeShard(discovery, options);
    const rows = [...planRows(evaluations, options.config.trials)];
    return { ...discovery, rows, ...(shard && { shard }) };
  } finally {
    executor.close();
  }
}
