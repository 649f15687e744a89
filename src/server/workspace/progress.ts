import { AssayError, type RunInProgress } from '../../errors.js';
import { filterRows } from '../../runner/planning/filter-rows.js';
import type { ListedRun } from '../../store/listing/run-json.js';
import type { StoredRun } from '../../store/stored-run.js';

/** The progress of a run that something else must wait for. */
export function inProgressOf(run: StoredRun): RunInProgress {
  const { run_id, run_name } = run.header;
  const { selected_total: total, unfinished } = progressOf(run);
  const finished = Math.max(0, total - unfinished);
  const { owner } = run;
  return { run_id, run_name, progress: { finished, total }, ...(owner && { pid: owner.pid }) };
}

/** The progress of a run that is about to start, or to be the source of a new one. */
export function aboutToStart({ header, rows }: StoredRun): RunInProgress {
  const { run_id, run_name } = header;
  return { run_id, run_name, progress: { finished: 0, total: rows.length } };
}

/** Runs an action that requires that no other process holds a run; if one does, the error contains its progress. */
export async function unlessHeld<T>(
  held: StoredRun | (() => Promise<StoredRun | undefined>),
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof AssayError) || error.code !== 'busy') throw error;
    const run = typeof held === 'function' ? await held() : held;
    if (run === undefined) throw error;
    await run.refresh();
    const { message, hints } = error;
    throw new AssayError('busy', message, { hints, cause: error, inProgress: inProgressOf(run) });
  }
}

/** The current progress of a run, regardless of filters. */
export function progressOf({ state, selectedTotal, rows }: StoredRun) {
  let running = 0;
  let pending = 0;
  for (const { status } of rows) {
    if (status === 'running') running += 1;
    else if (status === 'pending') pending += 1;
  }
  return { state, selected_total: selectedTotal, unfinished: running + pending, running };
}

/** The rows that a resume would run. */
export function rowsLeft(run: StoredRun): number[] {
  if (run.state === 'interrupted') return pendingRows(run);
  if (run.head().outcome !== 'budget') return [];
  const filter = { datasets: [], labels: [], paths: [], refused: run.refused };
  return filterRows(run.rows, { ...filter, only: ['unfinished'] });
}

/** The rows that an interrupted run has left. */
export function pendingRows(run: StoredRun): number[] {
  return [...run.rows.keys()].filter((index) => {
    const row = run.rows[index];
    return row?.status === 'pending' && row.pruned !== true;
  });
}

/** A listed run with its current figures; `run.json` may lag behind by a second. */
export function listedNow(listed: ListedRun, run: StoredRun): ListedRun {
  const { total_pruned: _, code_versions: __, repeats: ___, ...before } = listed;
  const { total_evaluations, total_passed, total_errors, state, run_name, updated_at, ...head } =
    run.head();
  const { total_pruned, code_versions, repeats } = head;
  const { score_chips, pass_rate } = run.summary();
  return {
    ...before,
    ...(total_pruned !== undefined && { total_pruned }),
    ...(code_versions && { code_versions }),
    ...(repeats && { repeats }),
    run_name,
    updated_at,
    total_evaluations,
    total_passed,
    total_errors,
    state,
    score_chips,
    pass_rate,
  };
}
