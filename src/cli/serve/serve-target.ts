import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { AssayError } from '../../errors.js';
import { isObject } from '../../model/json.js';
import { findRunFolder } from '../../store/folders.js';
import { locateRun } from '../../store/listing/resolve-reference.js';
import type { Store } from '../../store/store.js';

/** True for a path that `serve` opens as a saved run instead of searching it for evals. */
export function isSavedRun(path: string, cwd: string): boolean {
  const full = resolve(cwd, path);
  const stats = statSync(full, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return hasLog(full);
  if (stats?.isFile() !== true) return false;
  return /\.json$/i.test(full) || (basename(full) === 'results.jsonl' && hasLog(dirname(full)));
}

/** True for a run folder. An exported run named run.json does not make a folder one. */
function hasLog(folder: string): boolean {
  return existsSync(join(folder, 'results.jsonl'));
}

/** A saved run to serve: from the results directory, or a run folder elsewhere. */
export interface ServedRun {
  readonly runId?: string;
  /** Absolute path of the run folder. */
  readonly runFolder?: string;
  /** A remark for the user. */
  readonly note?: string;
}

/**
 * Opens the run for a reference; imports an exported run JSON into the results directory, unless it is there
 * already. Errors: those of finding and importing the run.
 */
export async function servedRun(
  store: Store,
  reference: string,
  options: { readonly cwd: string; readonly session?: string | undefined },
): Promise<ServedRun> {
  const found = await locateRun(store, reference, options);
  switch (found.kind) {
    case 'stored':
      return { runId: found.runId };
    case 'folder':
      return { runFolder: found.folder };
    case 'exported': {
      const { document } = found;
      const id = isObject(document) ? document.run_id : undefined;
      if (typeof id === 'string' && findRunFolder(store.root, id) !== undefined) {
        const note = `${reference} is saved as ${id} already: this is the saved run.`;
        return { runId: id, note };
      }
      const { run_id, session_name } = await store.importRun(document);
      return {
        runId: run_id,
        note: `${reference} is saved as ${run_id} in session ${session_name}.`,
      };
    }
  }
}

/** Error: `usage` when saved runs and evals are mixed. */
export function checkPaths(paths: readonly string[], cwd: string): void {
  const saved = paths.find((path) => isSavedRun(path, cwd));
  if (saved === undefined || paths.length === 1) return;
  throw new AssayError('usage', `${saved} is a saved run: it is served alone.`, {
    hints: ['Name one saved run, or only evals.'],
  });
}
