import { chmodSync, mkdirSync, realpathSync, rmdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hasSystemCode } from '../errors.js';
import { isFolder, lookAt, namesIn } from '../files/regular-file.js';
import { runIdPattern } from './names.js';
import { toStorageError } from './storage-error.js';

/** A run folder below the root, not read yet. */
export interface FoundFolder {
  readonly runId: string;
  readonly folder: string;
}

/** File modes in a results directory: private, because it contains data of models and users. */
export const folderMode = 0o700;
export const fileMode = 0o600;

/** The root with links resolved, or as given, for example if it does not exist yet. */
export function resolveRoot(root: string): string {
  try {
    return realpathSync(root);
  } catch {
    // The error is reported when a run is created.
    return root;
  }
}

/** Creates a private folder and its parents. A folder named `.assay` is made private and gets a `.gitignore`. */
export function makeFolder(path: string): void {
  try {
    make(path);
  } catch (error) {
    throw toStorageError(error, path);
  }
}

// Not the `recursive` option of mkdir, which never returns below /proc.
function make(path: string): void {
  try {
    mkdirSync(path, { mode: folderMode });
  } catch (error) {
    if (hasSystemCode(error, 'EEXIST')) return;
    if (!hasSystemCode(error, 'ENOENT')) throw error;
    if (lookAt(dirname(path)) === undefined) make(dirname(path));
    // Tries again even if the parent exists: another process may have just created it, and this folder as well.
    if (!makeUnlessThere(path)) return;
  }
  const parent = dirname(path);
  if (basename(parent) === '.assay') hide(parent);
}

function makeUnlessThere(path: string): boolean {
  try {
    mkdirSync(path, { mode: folderMode });
    return true;
  } catch (error) {
    if (hasSystemCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function hide(folder: string): void {
  chmodSync(folder, folderMode);
  try {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx', mode: fileMode });
  } catch (error) {
    if (!hasSystemCode(error, 'EEXIST')) throw error;
  }
}

/** Folders below the root that may contain runs, without links. */
export function sessionFolders(root: string): string[] {
  return namesIn(root)
    .map((name) => join(root, name))
    .filter(isFolder);
}

export function runFolders(sessionFolder: string): FoundFolder[] {
  return namesIn(sessionFolder)
    .filter((name) => runIdPattern.test(name))
    .map((runId) => ({ runId, folder: join(sessionFolder, runId) }))
    .filter(({ folder }) => isFolder(folder));
}

/** The folder of a run; `undefined` if there is none. */
export function findRunFolder(root: string, runId: string): string | undefined {
  if (!runIdPattern.test(runId)) return undefined;
  return sessionFolders(root)
    .map((sessionFolder) => join(sessionFolder, runId))
    .find((folder) => isFolder(folder) && isRunFolder(folder));
}

/** True for a folder with any file of a run; other folders are ignored. */
export function isRunFolder(folder: string): boolean {
  return lookAt(logPath(folder)) !== undefined || lookAt(documentPath(folder)) !== undefined;
}

export function logPath(folder: string): string {
  return join(folder, 'results.jsonl');
}

/** The path of `run.json` in a run folder. */
export function documentPath(folder: string): string {
  return join(folder, 'run.json');
}

export function removeIfEmpty(sessionFolder: string): void {
  try {
    rmdirSync(sessionFolder);
  } catch {
    // It contains other files, or a new run.
  }
}
