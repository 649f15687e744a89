import { fileOf } from '../../model/result.js';
import type { RecordingSource } from '../../recordings/recording.js';
import { recordingPath } from '../../recordings/recording-files.js';
import { findStoredRun } from '../../store/listing/run-reference.js';
import type { Store } from '../../store/store.js';
import type { StoredRun } from '../../store/stored-run.js';

/** Which recorded exchanges a run has used, or recorded itself. */
export class RecordingUse {
  readonly #used = new Set<string>();

  constructor(run: StoredRun) {
    for (const [index, row] of run.rows.entries()) {
      if (row.usage === undefined) continue;
      const file = fileOf(row);
      const source = sourceOf(file, row);
      for (const { role, recording } of run.trace(index).calls) {
        if (recording === undefined) continue;
        const path = recordingPath(role === 'file' ? { file } : source);
        this.#used.add(`${path}\n${recording}`);
      }
    }
  }

  has(path: string, name: string): boolean {
    return this.#used.has(`${path}\n${name}`);
  }
}

/** What a run has used, named as commands name runs. Errors: those of finding and opening it. */
export async function readRecordingUse(
  store: Store,
  reference: string,
  session?: string,
): Promise<RecordingUse> {
  const runId = await findStoredRun(store, reference, { cwd: process.cwd(), session });
  const run = await store.openRun(runId);
  try {
    return new RecordingUse(run);
  } finally {
    await run.close();
  }
}

function sourceOf(
  file: string,
  row: {
    readonly evaluation: string;
    readonly function: string;
    readonly trial?: number | undefined;
  },
): RecordingSource {
  const evaluation = row.evaluation.slice(file.length + 2);
  const hasCase = row.function !== evaluation;
  return {
    file,
    evaluation,
    ...(hasCase && { case: row.function.slice(evaluation.length + 1, -1) }),
    ...(row.trial !== undefined && { trial: row.trial }),
  };
}
