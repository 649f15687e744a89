import { AssayError, type RunInProgress } from '../../errors.js';
import type { StoredRun } from '../../store/stored-run.js';
import { progressOf } from '../rows/run-progress.js';

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
