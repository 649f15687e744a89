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

/** The recorded exchanges that a run, or the runs of a group, have used or recorded themselves. */
export class RecordingUse {
  readonly runName: string;
  readonly #used = new Set<string>();
  /** Paths of the folders that the run could have used, and whether it came to an end with them. */
  readonly #planned = new Map<string, boolean>();

  /** `isWhole`: false for a group of which runs are deleted, so that what they used is not known. */
  constructor(
    runs: readonly StoredRun[],
    recordings: readonly StoredRecording[],
    isWhole: boolean,
  ) {
    const { run_name: name = '', group = name } = runs[0]?.header ?? {};
    this.runName = group;
    for (const run of runs) this.#add(run, isWhole);
    this.#planShared(recordings);
  }

  #add(run: StoredRun, isWhole: boolean): void {
    for (const [index, row] of run.rows.entries()) {
      if (row.pruned === true) continue;
      const file = fileOf(row);
      const source = sourceOf(row);
      const folder = folderOfAttempt(source);
      const ofImport = folderOfAttempt({ file });
      const trace = row.usage === undefined ? undefined : run.trace(index);
      // What it used is not known if the line with its calls is damaged.
      const isCompleted = isWhole && row.status === 'completed' && trace?.unreadable !== true;
      this.#planned.set(folder, isCompleted && this.#planned.get(folder) !== false);
      this.#planned.set(ofImport, isCompleted || this.#planned.get(ofImport) === true);
      for (const call of trace?.calls ?? []) this.#used.add(recordedId(call, source) ?? '');
    }
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

/**
 * The exchanges used by a run, found by reference, and by the others of its group: they record the same cases. Errors: those of
 * finding and opening it.
 */
export async function readRecordingUse(
  store: Store,
  reference: string,
  recordings: readonly StoredRecording[],
  session?: string,
): Promise<RecordingUse> {
  const [base] = (await store.findGroup(reference, { session })) ?? [];
  const runId = base ?? (await findStoredRun(store, reference, { cwd: process.cwd(), session }));
  const runs = [await store.openRun(runId)];
  try {
    const { group_runs: ids = [] } = runs[0]?.header ?? {};
    const left = new Set((await store.listRuns()).map(({ run_id }) => run_id));
    for (const id of ids) if (id !== runId && left.has(id)) runs.push(await store.openRun(id));
    return new RecordingUse(
      runs,
      recordings,
      ids.every((id) => left.has(id)),
    );
  } finally {
    for (const run of runs) await run.close();
  }
}
