import { AssayError } from '../errors.js';
import type { ImportedRun } from '../store/exported/import-run.js';
import { namingFile } from '../store/exported/read-exported-run.js';
import type { Store } from '../store/store.js';
import type { ForeignResults } from './foreign-run.js';
import { readResults } from './read-results.js';
import { countsOf, toDocuments } from './to-documents.js';

/** A run that was saved by an import; plain JSON. */
export interface SavedImport {
  readonly run_id: string;
  readonly run_name: string;
  readonly session_name: string;
  readonly total_evaluations: number;
  /** True for a run of another tool that an import before this one has saved: it stays as it is. Else absent. */
  readonly was_saved?: true;
}

/** What an import has saved. */
export interface ImportedFile {
  readonly runs: readonly SavedImport[];
  /** What the file of another tool had; absent for an exported run. */
  readonly of?: ForeignResults & { readonly counts: ReturnType<typeof countsOf> };
}

interface ImportOptions {
  /** Default: that of the file. */
  readonly session?: string;
}

/** Saves an exported run, or those runs of a file of another tool that are not saved yet. Errors name the file: `bad-request`, those of saving. */
export async function importFile(
  store: Store,
  file: string,
  options: ImportOptions,
): Promise<ImportedFile> {
  try {
    const read = await readResults(file);
    if (read.kind === 'own') return { runs: [await importDocument(store, read.document, options)] };
    const documents = toDocuments(read.foreign);
    const saved = new Map((await store.listRuns()).map((run) => [run.run_id, run]));
    const imported = await store.importRuns(
      documents.filter(({ run_id }) => !saved.has(run_id)),
      options,
    );
    const made = imported.values();
    const runs = documents.map(({ run_id: id, results }): SavedImport => {
      const before = saved.get(id);
      const { run_id, run_name, session_name } = before ?? (made.next().value as ImportedRun);
      const total_evaluations = results.length;
      const names = { run_id, run_name, session_name, total_evaluations };
      return before === undefined ? names : { ...names, was_saved: true };
    });
    return { runs, of: { ...read.foreign, counts: countsOf(documents) } };
  } catch (error) {
    throw error instanceof AssayError ? namingFile(file, error) : error;
  }
}

/** Saves an exported run JSON. Errors: those of `Store.importRun`. */
export async function importDocument(
  store: Store,
  document: unknown,
  options: ImportOptions,
): Promise<SavedImport> {
  const { run_id, run_name, session_name } = await store.importRun(document, options);
  const run = await store.openRun(run_id);
  const total_evaluations = run.rows.length;
  await run.close();
  return { run_id, run_name, session_name, total_evaluations };
}
