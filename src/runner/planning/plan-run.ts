import type { Shard } from '../../model/shard.js';
import { readVersion } from '../../package-root.js';
import type { Descriptor } from '../../protocol/messages.js';
import type { PlannedRow, RunOwner } from '../../store/run-owner.js';
import type { Store } from '../../store/store.js';
import { fingerprintOf } from '../changes/case-fingerprint.js';
import type { RunRequest } from '../discovery/discover.js';
import { scoreRulesOf } from '../execution/score-rules-of.js';
import type { Executor } from '../executor.js';
import type { ExecutionSettings } from '../runner-dependencies.js';
import { toStoredRequest } from '../saved-run/stored-request.js';
import { unlessAborted } from '../unless-aborted.js';
import { friendlyName } from './friendly-name.js';
import { type PlannedTrial, planRows, writePlannedRows } from './plan-rows.js';

/** Describes a new run. */
export interface PlanRunOptions extends ExecutionSettings {
  readonly request: RunRequest;
  readonly sessionName: string;
  /** Default: a friendly name. */
  readonly runName?: string;
  /** Default: a random one. */
  readonly runId?: string;
  /** The part that `descriptors` are of a whole run, if they are one. */
  readonly shard?: Shard | undefined;
  /** Called with the plan of each row, in order. */
  readonly onPlan?: ((plan: PlannedRow) => void) | undefined;
  /** Aborts planning; nothing is saved then. */
  readonly signal?: AbortSignal | undefined;
}

/** Saves a new run with all rows planned and none started. If that fails, nothing of it remains. */
export async function planRun(
  store: Store,
  executor: Executor,
  descriptors: readonly Descriptor[],
  options: PlanRunOptions,
): Promise<RunOwner> {
  const { config, request } = options;
  const owner = await store.createRun({
    session_name: options.sessionName,
    run_name: options.runName ?? friendlyName(),
    path: request.paths.length === 0 ? '.' : request.paths.join(' '),
    config_name: config.name,
    selection: toStoredRequest(request, config),
    shard: options.shard,
    assay: readVersion(),
    ...(options.runId === undefined ? {} : { run_id: options.runId }),
  });
  try {
    const planned = writePlannedRows(owner, executor, {
      ids: descriptors.map((descriptor) => descriptor.id),
      rows: abortable(planRows(descriptors, config.trials), options.signal),
      rulesOf: scoreRulesOf(descriptors, config.scoreRules),
      fingerprintOf: fingerprintOf(descriptors, config),
      onPlan: options.onPlan,
    });
    await unlessAborted(planned, options.signal);
    return owner;
  } catch (error) {
    await discardRun(store, owner);
    throw error;
  }
}

/** Removes a run that has not started. */
export async function discardRun(store: Store, owner: RunOwner): Promise<void> {
  await owner.release().finally(() => store.deleteRun(owner.run.runId));
}

/** Yields the same rows; throws when aborted. */
function* abortable(rows: Iterable<PlannedTrial>, signal?: AbortSignal): Generator<PlannedTrial> {
  for (const row of rows) {
    signal?.throwIfAborted();
    yield row;
  }
}
