import { fileOf } from '../../model/result.js';
import type { RecordingSource } from '../../recordings/recording.js';
import { recordingPath } from '../../recordings/recording-files.js';
import { findStoredRun } from '../../store/listing/resolve-reference.js';
import type { Store } from '../../store/store.js';
import type { StoredRun } from '../../store/stored-run.js';

/** Use of a recorded exchange by a run. Results that did not complete may not have reached their calls. */
export type ExchangeUse = 'used' | 'unused' | 'not planned' | 'not completed';

/** The recorded exchanges that a run has used, or recorded itself. */
export class RecordingUse {
  readonly runName: string;
  readonly #used = new Set<string>();
  /** Paths of the recordings that the run could have used, and whether it came to an end with them. */
  readonly #planned = new Map<string, boolean>();

  constructor(run: StoredRun) {
    this.runName = run.header.run_name;
    for (const [index, row] of run.rows.entries()) {
      if (row.pruned === true) continue;
      const file = fileOf(row);
      const path = recordingPath(sourceOf(file, row));
      const ofImport = recordingPath({ file });
      const trace = row.usage === undefined ? undefined : run.trace(index);
      // What it used is not known if the line with its calls is damaged.
      const isCompleted = row.status === 'completed' && trace?.unreadable !== true;
      this.#planned.set(path, isCompleted);
      this.#planned.set(ofImport, isCompleted || this.#planned.get(ofImport) === true);
      for (const { role, recording } of trace?.calls ?? []) {
        if (recording === undefined) continue;
        this.#used.add(`${role === 'file' ? ofImport : path}\n${recording}`);
      }
    }
  }

  /** Of an exchange, by the path of its recording and its own name. */
  of(path: string, name: string): ExchangeUse {
    if (this.#used.has(`${path}\n${name}`)) return 'used';
    const isCompleted = this.#planned.get(path);
    if (isCompleted === undefined) return 'not planned';
    return isCompleted ? 'unused' : 'not completed';
  }
}

/** The exchanges used by a run, found by reference. Errors: those of finding and opening it. */
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
