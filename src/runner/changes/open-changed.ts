import type { Descriptor } from '../../protocol/messages.js';
import { beginExecution } from '../execution/begin-execution.js';
import type { Executor } from '../executor.js';
import { discardRun, type PlanRunOptions, planRun } from '../planning/plan-run.js';
import type { RunnerDependencies, Started } from '../runner-dependencies.js';
import { scheduleOf } from './case-fingerprint.js';
import { type Changes, decideAll } from './decide-all.js';
import { type Decision, type PlannedRowToday, reasonsOf } from './decide-row.js';
import { storedCode } from './stored-code.js';
import { carryRows, planOf, type Sample } from './take-over.js';

export interface OpenChangedOptions extends PlanRunOptions {
  /** Ids of the runs whose results may be taken over, the newest first. */
  readonly bases: readonly string[];
  /** Which of the results that are taken over run again. Default: none. */
  readonly verify?: Sample | undefined;
}

/** Saves a new run with all rows planned, takes over what has not changed, and starts the rest. */
export async function openChanged(
  runner: RunnerDependencies,
  executor: Executor,
  descriptors: readonly Descriptor[],
  options: OpenChangedOptions,
): Promise<Started> {
  const { config, signal, bases } = options;
  // Meanwhile, the run is planned.
  const finding = executor.fingerprint?.() ?? Promise.resolve([]);
  const rows: PlannedRowToday[] = [];
  const owner = await planRun(runner.store, executor, descriptors, {
    ...options,
    onPlan: ({ id, evaluation, fingerprint }) => rows.push({ id, evaluation, fingerprint }),
  });
  let changes: Changes | undefined;
  try {
    const schedule = scheduleOf(config);
    const { params } = schedule;
    const { calls } = config;
    changes = await decideAll(runner, rows, { bases, finding, params, calls });
    const plan = planOf(changes, options.verify);
    const { decisions } = changes;
    const indices = [...plan.run, ...plan.regrade.keys()].sort((a, b) => a - b);
    signal?.throwIfAborted();
    owner.schedule({ kind: 'run', rows: indices, ...schedule });
    owner.addCode(changes.codes.map((one) => storedCode(one, config)));
    await carryRows(runner, owner, plan);
    const started = beginExecution(runner, {
      ...{ owner, executor, indices, descriptors, settings: options },
      takesOver: plan.regrade,
      codes: changes.codes,
      // Without an earlier run, every row has the same reason, which says nothing.
      reasons: bases.length > 0 ? reasonsWith(plan.verified, decisions) : undefined,
      verified: plan.verified,
    });
    const { close } = changes;
    return { ...started, finished: started.finished.finally(close) };
  } catch (error) {
    await changes?.close();
    await discardRun(runner.store, owner);
    throw error;
  }
}

function reasonsWith(
  verified: ReadonlySet<number>,
  decisions: readonly Decision[],
): ReadonlyMap<number, string> {
  const ofVerified = [...verified].map((index) => [index, 'to verify what is carried'] as const);
  return new Map([...reasonsOf(decisions), ...ofVerified]);
}
