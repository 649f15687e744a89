import { AssayError, type RunInProgress } from '../../errors.js';
import type { StoredRun } from '../../store/stored-run.js';
import { progressOf } from '../rows/run-progress.js';

/** How far a run has come that something else has to wait for. */
export function inProgressOf(run: StoredRun): RunInProgress {
  const { run_id, run_name } = run.header;
  const { selected_total: total, unfinished } = progressOf(run);
  const finished = Math.max(0, total - unfinished);
  const { owner } = run;
  return { run_id, run_name, progress: { finished, total }, ...(owner && { pid: owner.pid }) };
}

/** The same of a run that is about to start, or that a new one is about to be made of. */
export function aboutToStart({ header, rows }: StoredRun): RunInProgress {
  const { run_id, run_name } = header;
  return { run_id, run_name, progress: { finished: 0, total: rows.length } };
}

/** Does something for which a run must not be held by another process; when it is, the error says how far that has come. */
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
