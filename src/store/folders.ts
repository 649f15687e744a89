import { chmodSync, mkdirSync, realpathSync, rmdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hasSystemCode } from '../errors.js';
import { runIdPattern } from './names.js';
import { isFolder, lookAt, namesIn } from './regular-file.js';
import { toStorageError } from './storage-error.js';

/** A run folder that was found below the root; nothing of it was read. */
export interface FoundFolder {
  readonly runId: string;
  readonly folder: string;
}

/** Modes of all that is made in a results directory: what models and users say is nobody else's business. */
export const folderMode = 0o700;
export const fileMode = 0o600;

/** The root with links resolved; as given when it cannot be, for one because it does not exist yet. */
export function resolveRoot(root: string): string {
  try {
    return realpathSync(root);
  } catch {
    // What keeps it from being used is said when a run is to be made.
    return root;
  }
}

/** Makes a folder and those above it, private. A folder named `.assay` that is there becomes so, and keeps itself out of git. */
export function makeFolder(path: string): void {
  try {
    make(path);
  } catch (error) {
    throw toStorageError(error, path);
  }
}

// Not mkdir's own `recursive`: below /proc it never returns.
function make(path: string): void {
  try {
    mkdirSync(path, { mode: folderMode });
  } catch (error) {
    if (hasSystemCode(error, 'EEXIST')) return;
    if (!hasSystemCode(error, 'ENOENT')) throw error;
    if (lookAt(dirname(path)) === undefined) make(dirname(path));
    // Also when the parent is there by now: another process may just have made it, and this one as well.
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

/** Folders below the root that may hold runs; links are left out. */
export function sessionFolders(root: string): string[] {
  return namesIn(root)
    .map((name) => join(root, name))
    .filter(isFolder);
}

/** Run folders in a session folder. */
export function runFolders(sessionFolder: string): FoundFolder[] {
  return namesIn(sessionFolder)
    .filter((name) => runIdPattern.test(name))
    .map((runId) => ({ runId, folder: join(sessionFolder, runId) }))
    .filter(({ folder }) => isFolder(folder));
}

/** The folder of a run; `undefined` when there is no such run. */
export function findRunFolder(root: string, runId: string): string | undefined {
  if (!runIdPattern.test(runId)) return undefined;
  return sessionFolders(root)
    .map((sessionFolder) => join(sessionFolder, runId))
    .find((folder) => isFolder(folder) && isRunFolder(folder));
}

/** True when a folder holds any file of a run; one that does not is no run and nothing is said about it. */
export function isRunFolder(folder: string): boolean {
  return lookAt(logPath(folder)) !== undefined || lookAt(documentPath(folder)) !== undefined;
}

/** Where the log of a run folder is. */
export function logPath(folder: string): string {
  return join(folder, 'results.jsonl');
}

/** Where what listings need of a run folder is. */
export function documentPath(folder: string): string {
  return join(folder, 'run.json');
}

/** Removes a session folder when nothing is left in it. */
export function removeIfEmpty(sessionFolder: string): void {
  try {
    rmdirSync(sessionFolder);
  } catch {
    // Something of the user's is in it, or another run has just been made.
  }
}
