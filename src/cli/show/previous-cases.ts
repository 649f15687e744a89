import type { EvalCase } from '../../compare/cases/eval-case.js';
import { casesOf } from '../../compare/cases/group-by-case.js';
import { AssayError } from '../../errors.js';
import type { RunHead } from '../../model/run.js';
import { previousOf } from '../../store/listing/previous-of.js';
import type { Store } from '../../store/store.js';

/** The run before a saved run. */
export interface PreviousCases {
  readonly run_id: string;
  readonly run_name: string;
  /** `undefined` when it cannot be read. */
  readonly cases: readonly EvalCase[] | undefined;
}

/** Reads the run that the figures of a saved run are compared with, or says why there is none. */
export async function readPreviousCases(
  store: Store,
  { run_id, session_name }: Pick<RunHead, 'run_id' | 'session_name'>,
): Promise<PreviousCases | string> {
  const previous = previousOf(await store.listRuns(session_name), run_id);
  if (previous.run === undefined) return previous.why;
  const { run_id: id, run_name } = previous.run;
  return { run_id: id, run_name, cases: await readCases(store, id) };
}

async function readCases(store: Store, runId: string): Promise<EvalCase[] | undefined> {
  try {
    const run = await store.openRun(runId);
    try {
      return casesOf(run.rows, runId);
    } finally {
      await run.close();
    }
  } catch (error) {
    if (error instanceof AssayError) return undefined;
    throw error;
  }
}
