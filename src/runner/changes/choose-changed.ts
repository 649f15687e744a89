import type { FoundCode } from '../../model/code/file-code.js';
import { countedOf } from '../../model/result.js';
import type { Descriptor } from '../../protocol/messages.js';
import type { ResolvedRunConfig } from '../../settings/resolve-run-config.js';
import type { StoredRun } from '../../store/stored-run.js';
import type { Executor } from '../executor.js';
import type { PlannedTrial } from '../planning/plan-rows.js';
import type { RunnerDependencies } from '../runner-dependencies.js';
import type { Changes } from './decide-all.js';
import { decidePlanned } from './decide-planned.js';
import { reasonsOf } from './decide-row.js';

/** Rows of a saved run whose results are out of date. */
export interface ChangedRows {
  /** Those to run, and those that only get a new grade. */
  readonly rows: readonly PlannedTrial[];
  readonly regraded: ReadonlySet<number>;
  /** Those of them that run although nothing has changed, because they are errors. */
  readonly repeated: ReadonlySet<number>;
  /** Those that completed a pass with other code, which is the code of today. */
  readonly confirmed: readonly number[];
  /** Why, by index. */
  readonly reasons: ReadonlyMap<number, string>;
  /** The code of today. */
  readonly codes: readonly FoundCode[];
}

export interface RowsToCheck {
  readonly rows: readonly PlannedTrial[];
  readonly descriptors: readonly Descriptor[];
  readonly config: ResolvedRunConfig;
  /** Errors are results, too. Default false: rows with errors run. */
  readonly keepsErrors?: boolean | undefined;
}

/** Chooses the rows of a saved run that an edit can have changed since they ran. */
export async function chooseChanged(
  runner: RunnerDependencies,
  executor: Executor,
  run: StoredRun,
  toCheck: RowsToCheck,
): Promise<ChangedRows> {
  const { decisions, codes } = await decideInPlace(runner, executor, run, toCheck);
  const { rows } = toCheck;
  // A repeat is not what counts, so that a new grade of it would say nothing.
  const isRepeat = ({ index }: PlannedTrial) => run.rows[index]?.counted !== undefined;
  const actionOf = (at: number) => decisions[at]?.action;
  return {
    rows: rows.filter((_, at) => actionOf(at) !== 'carry'),
    regraded: new Set(
      rows.flatMap((row, at) => (actionOf(at) === 'regrade' && !isRepeat(row) ? [row.index] : [])),
    ),
    repeated: new Set(rows.flatMap((row, at) => (actionOf(at) === 'repeat' ? [row.index] : []))),
    confirmed: rows.flatMap(({ index }, at) => {
      const row = run.rows[index];
      const isOther = row !== undefined && countedOf(row).otherCode === true;
      return isOther && actionOf(at) !== 'run' ? [index] : [];
    }),
    reasons: reasonsOf(decisions, (at) => rows[at]?.index),
    codes,
  };
}

/** Decides about rows of a saved run, whose own results are the only ones that they may keep. */
export async function decideInPlace(
  runner: RunnerDependencies,
  executor: Executor,
  run: StoredRun,
  { rows, descriptors, config, keepsErrors = false }: RowsToCheck,
): Promise<Pick<Changes, 'decisions' | 'codes'>> {
  // The run stays open: its owner closes it.
  const bases = { bases: [run.runId], open: async () => run, keepsErrors };
  // What is only looked at, or saved, runs for no recording; offline, only the user changes any.
  const isCompared = !keepsErrors || config.calls.recordings?.mode === 'offline';
  const today = { rows, descriptors, config };
  const calls = isCompared ? config.calls : undefined;
  return decidePlanned(runner, executor, today, { ...bases, calls });
}
