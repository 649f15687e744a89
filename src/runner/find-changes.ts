import type { LookedAt } from '../model/code/looked-at.js';
import { isFinished } from '../model/result.js';
import type { StoredRun } from '../store/stored-run.js';
import { decideInPlace } from './changes/decide-all.js';
import type { DiscoveryError } from './discovery/discovery-error.js';
import { discoverAgain, goneRows, matchRows } from './rerun.js';
import {
  createExecutor,
  type ExecutionSettings,
  type RunnerDependencies,
} from './runner-dependencies.js';
import { unlessAborted } from './unless-aborted.js';

export interface ChangedResult {
  readonly index: number;
  /** `regrade`: only its grade is out of date. */
  readonly action: 'run' | 'regrade';
  readonly reason: string;
  /** Nothing is known to be different; but neither that nothing is. */
  readonly isUncertain: boolean;
}

/** What is out of date in a saved run. */
export interface RunChanges {
  readonly results: readonly ChangedResult[];
  /** The number of rows that a rerun of everything would add. */
  readonly added: number;
  /** The number of rows whose evaluation no longer exists, without those already pruned. */
  readonly gone: number;
  /** Names eval files that could not be imported: nothing is known about their rows. */
  readonly importProblem: DiscoveryError | undefined;
  /** The paths that results of the run depend on. */
  readonly looks: readonly LookedAt[];
}

/**
 * Finds the finished results of a saved run that an edit can have changed. Runs nothing, and changes nothing.
 * @throws {AssayError} `view-only` when the eval files no longer exist; those of importing them
 */
export async function findChanges(
  runner: RunnerDependencies,
  run: StoredRun,
  settings: ExecutionSettings,
  signal: AbortSignal,
): Promise<RunChanges> {
  const executor = createExecutor(runner, settings, 'look');
  try {
    const today = await unlessAborted(discoverAgain(runner, { run }, executor, true), signal);
    const { config } = settings;
    const rows = matchRows({ run }, today, { indices: 'all', config });
    const kept = rows.filter(({ index }) => {
      const row = run.rows[index];
      return row !== undefined && row.pruned !== true && isFinished(row);
    });
    const { descriptors, importProblem } = today;
    const deciding = decideInPlace(runner, executor, run, {
      ...{ rows: kept, descriptors, config, keepsErrors: true },
    });
    const { decisions } = await unlessAborted(deciding, signal);
    return {
      results: kept.flatMap(({ index }, at): ChangedResult[] => {
        const decision = decisions[at];
        if (decision === undefined || decision.action === 'carry') return [];
        if (decision.action === 'repeat') return [];
        const { action, reason } = decision;
        const isUncertain = action === 'run' && decision.isUncertain === true;
        return [{ index, action, reason, isUncertain }];
      }),
      added: rows.filter(({ index }) => run.rows[index] === undefined).length,
      gone: goneRows({ run }, today).length,
      importProblem,
      looks: looksOf(run),
    };
  } finally {
    executor.close();
  }
}

/** What the evaluations of a run have looked at. */
function looksOf(run: StoredRun): LookedAt[] {
  const found = new Map<string, LookedAt>();
  for (const place of run.executions.flatMap(({ reads }) => reads)) {
    const record = run.fileRecord(place);
    if (record?.type !== 'reads') continue;
    for (const { kind, name } of record.reads) {
      if (kind !== 'variable' && kind !== 'recordings')
        found.set(`${kind}\0${name}`, { kind, name });
    }
  }
  return [...found.values()];
}
