import { type Discovery, discover } from './discovery/discover.js';
import { type PlannedTrial, planRows } from './planning/plan-rows.js';
import { createExecutor, type RunnerDependencies } from './runner-dependencies.js';
import type { StartRunOptions } from './start-run.js';

/** The evaluations that would run. */
export interface EvaluationList extends Discovery {
  readonly rows: readonly PlannedTrial[];
}

/** Discovers and plans like {@link startRun}, without running anything. */
export async function listEvaluations(
  runner: RunnerDependencies,
  options: StartRunOptions,
): Promise<EvaluationList> {
  const executor = createExecutor(runner, options);
  try {
    const discovery = await discover(runner, options.request, executor);
    return { ...discovery, rows: [...planRows(discovery.evaluations, options.config.trials)] };
  } finally {
    executor.close();
  }
}
