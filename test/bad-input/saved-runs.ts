import { openStore } from '../../src/store/store.js';
import type { Project } from '../helpers/project.js';
import { finishedRun } from '../store/builders.js';
import type { CommandRow } from './command-rows.js';

/** The id of `brisk-otter`. */
export const runId = '3f9a0c12be77';

/** Saves two finished runs of two results in session `default`: `brisk-otter`, and `calm-heron` after it. */
export async function makeRuns(project: Project): Promise<void> {
  const store = await openStore(project.path('.assay/sessions'));
  await finishedRun(store, 2, { run_id: runId, run_name: 'brisk-otter', created_at_ms: 1000 });
  const second = { run_id: '3f9a0c12be78', run_name: 'calm-heron', created_at_ms: 2000 };
  await finishedRun(store, 2, second);
}

/** A row with these two runs. */
export function rowWithRuns(
  what: string,
  argv: readonly string[],
  ...says: CommandRow['says']
): CommandRow {
  return { what, argv, prepare: makeRuns, says };
}
