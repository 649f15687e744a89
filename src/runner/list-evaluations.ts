import type { Shard } from '../model/shard.js';
import { decidePlanned } from './changes/decide-all.js';
import type { Decision } from './changes/decide-row.js';
import { type Discovery, discover } from './discovery/discover.js';
import { withParams } from './planning/params.js';
import { type PlannedTrial, planRows } from './planning/plan-rows.js';
import { takeShard } from './planning/take-shard.js';
import { createExecutor, type RunnerDependencies } from './runner-dependencies.js';
import type { StartRunOptions } from './start-run.js';

export interface EvaluationList extends Discovery {
  readonly rows: readonly PlannedTrial[];
  /** Present if they are a part of a run. */
  readonly shard?: Shard;
  /** By row, what would be done with it; only if the rows that have changed were asked for. */
  readonly decisions?: readonly Decision[];
}

/** Discovers and plans like {@link startRun}, without running anything. */
export async function listEvaluations(
  runner: RunnerDependencies,
  options: StartRunOptions,
): Promise<EvaluationList> {
  const executor = createExecutor(runner, options, 'look');
  const { changedSince: bases } = options;
  try {
    const discovery = await discover(runner, options.request, executor, bases !== undefined);
    const config = withParams(options.config, discovery, options.readParams);
    const { evaluations, shard } = takeShard(discovery, { ...options, config });
    const rows = [...planRows(evaluations, config.trials)];
    const list = { ...discovery, rows, ...(shard && { shard }) };
    if (bases === undefined) return list;
    const changes = await decidePlanned(
      runner,
      executor,
      { rows, descriptors: evaluations, config },
      { bases, calls: config.calls },
    );
    await changes.close();
    return { ...list, decisions: changes.decisions };
  } finally {
    executor.close();
  }
}
