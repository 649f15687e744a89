import { fileOf } from '../../model/result.js';
import { recordedId, sourceOf } from '../../recordings/recorded-calls.js';
import {
  folderOfAttempt,
  folderOfFile,
  placeOf,
  type StoredExchange,
} from '../../recordings/recording-files.js';
import type { StoredRecording } from '../../recordings/stored-recordings.js';
import { findStoredRun } from '../../store/listing/resolve-reference.js';
import type { Store } from '../../store/store.js';
import type { StoredRun } from '../../store/stored-run.js';

/** Use of a recorded exchange by a run. Results that did not complete may not have reached their calls. */
export type ExchangeUse = 'used' | 'unused' | 'not planned' | 'not completed';

/** The recorded exchanges that a run has used, or recorded itself. */
export class RecordingUse {
  readonly runName: string;
  readonly #used = new Set<string>();
  /** Paths of the folders that the run could have used, and whether it came to an end with them. */
  readonly #planned = new Map<string, boolean>();

  constructor(run: StoredRun, recordings: readonly StoredRecording[]) {
    this.runName = run.header.run_name;
    for (const [index, row] of run.rows.entries()) {
      if (row.pruned === true) continue;
      const file = fileOf(row);
      const source = sourceOf(row);
      const folder = folderOfAttempt(source);
      const ofImport = folderOfAttempt({ file });
      const trace = row.usage === undefined ? undefined : run.trace(index);
      // What it used is not known if the line with its calls is damaged.
      const isCompleted = row.status === 'completed' && trace?.unreadable !== true;
      this.#planned.set(folder, isCompleted);
      this.#planned.set(ofImport, isCompleted || this.#planned.get(ofImport) === true);
      for (const call of trace?.calls ?? []) this.#used.add(recordedId(call, source) ?? '');
    }
    this.#planShared(recordings);
  }

  /** Any case may ask for what is shared: only a run of all that is recorded of a file could have used it. */
  #planShared(recordings: readonly StoredRecording[]): void {
    const all = recordings.flatMap(({ exchanges }) => exchanges);
    for (const file of new Set(all.map(({ source }) => source.file))) {
      const shared = folderOfFile(file, 'shared');
      const ofFile = all.filter(({ source }) => source.file === file);
      const folders = ofFile.map(({ id }) => placeOf(id).folder);
      const others = new Set([...folders, folderOfAttempt({ file })]);
      others.delete(shared);
      const ends = [...others].map((folder) => this.#planned.get(folder));
      if (ends.every((end) => end !== undefined)) this.#planned.set(shared, !ends.includes(false));
    }
  }

  of({ id }: StoredExchange): ExchangeUse {
    if (this.#used.has(id)) return 'used';
    const isCompleted = this.#planned.get(placeOf(id).folder);
    if (isCompleted === undefined) return 'not planned';
    return isCompleted ? 'unused' : 'not completed';
  }
}

/** The exchanges used by a run, found by reference. Errors: those of finding and opening it. */
export async function readRecordingUse(
  store: Store,
  reference: string,
  recordings: readonly StoredRecording[],
  session?: string,
): Promise<RecordingUse> {
  const runId = await findStoredRun(store, reference, { cwd: process.cwd(), session });
  const run = await store.openRun(runId);
  try {
    return new RecordingUse(run, recordings);
  } finally {
    await run.close();
  }
}
