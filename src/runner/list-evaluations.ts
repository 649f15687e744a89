import { type Discovery, discover } from './discover.js';
import { type PlannedRow, planRows } from './plan.js';
import { createExecutor, type Runner } from './runner.js';
import type { StartRunOptions } from './start-run.js';

/** What would run. */
export interface EvaluationList extends Discovery {
  readonly rows: readonly PlannedRow[];
}

/** Discovers and plans as {@link startRun} does, and runs nothing. */
export async function listEvaluations(
  runner: Runner,
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
