import { fileOf, hasVerdict, passes, type RowFacts } from '../../../model/result.js';
import { filterRows } from '../../../runner/planning/filter-rows.js';
import { type Rerun, rerun } from '../../../runner/rerun.js';
import type { ExecutionSettings, RunnerDependencies } from '../../../runner/runner-dependencies.js';
import type { StoredRun } from '../../../store/stored-run.js';
import type { Which } from './wishes.js';

/** Parts of paths and names that a person wants to see. */
export interface Filter {
  readonly paths: string;
  readonly names: string;
}

export interface Round {
  readonly which: Which;
  readonly filter: Filter;
  readonly settingsOf: (run: StoredRun) => ExecutionSettings;
  /** Ends the planning; the run stays unchanged then. */
  readonly signal: AbortSignal;
}

/** A round that has begun; without `started` if there is nothing to run. */
export interface BegunRound extends Rerun {
  readonly run: StoredRun;
}

/** Runs rows of a saved run again, in place. Errors: those of taking over the run, and of a rerun. */
export async function beginRound(
  runner: RunnerDependencies,
  runId: string,
  { which, filter, settingsOf, signal }: Round,
): Promise<BegunRound> {
  const owner = await runner.store.ownRun(runId);
  const { run } = owner;
  try {
    signal.throwIfAborted();
    const indices = wantedRows(run.rows, which, filter);
    const settings = settingsOf(run);
    if (indices !== 'all' && indices.length === 0) {
      await owner.release();
      return { run, gone: [], importProblem: undefined };
    }
    const options = { ...settings, owner, indices, kind: 'rerun', onGone: 'leave' } as const;
    const rest = { onlyChanged: which === 'changed', keepsErrors: true, prune: true, signal };
    // What cannot be imported keeps its results; it is no reason to run nothing else.
    const tolerant = { ...runner, toleratesImportFailures: true };
    return { run, ...(await rerun(tolerant, { ...options, ...rest })) };
  } catch (error) {
    await owner.release();
    await run.close();
    throw error;
  }
}

function wantedRows(rows: readonly RowFacts[], which: Which, filter: Filter): number[] | 'all' {
  const isFiltered = filter.paths !== '' || filter.names !== '';
  if (!isFiltered && (which === 'all' || which === 'changed')) return 'all';
  const only = which === 'failed' || which === 'errors' ? [which] : [];
  const found = filterRows(rows, { only, datasets: [], labels: [], paths: [] });
  return found.filter((index) => {
    const row = rows[index];
    return row !== undefined && row.pruned !== true && isWanted(row, filter);
  });
}

/** True for a row whose path and name have these parts. */
function isWanted(row: RowFacts, { paths, names }: Filter): boolean {
  return has(fileOf(row), paths) && has(row.function, names);
}

function has(text: string, part: string): boolean {
  return part === '' || text.toLowerCase().includes(part.toLowerCase());
}

/** The number of results that pass since their last round, and of those that no longer do. */
export interface VerdictChanges {
  readonly fixed: number;
  readonly regressed: number;
}

/** Remembers which results passed when they last finished, over rounds that were stopped, too. */
export class LastVerdicts {
  readonly #passed = new Map<number, boolean>();

  /** Compares finished rows with what they were before, and remembers them. */
  update(rows: readonly RowFacts[], indices: Iterable<number>): VerdictChanges {
    let [fixed, regressed] = [0, 0];
    for (const index of indices) {
      const row = rows[index];
      if (row === undefined || (row.status !== 'error' && !hasVerdict(row))) continue;
      const before = this.#passed.get(index);
      const now = row.status === 'completed' && passes(row);
      this.#passed.set(index, now);
      if (before === undefined || before === now) continue;
      if (now) fixed += 1;
      else regressed += 1;
    }
    return { fixed, regressed };
  }
}
